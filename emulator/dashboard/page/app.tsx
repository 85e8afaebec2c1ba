import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SignInError } from './api/control-client.js';
import { EventLog } from './api/event-log.js';
import { type ConnectionState, followEvents } from './api/event-stream.js';
import { getControlToken, setControlToken } from './api/session.js';
import { Header } from './components/header.js';
import { Navigation } from './components/navigation.js';
import { type Notice, NoticeBar } from './components/page.js';
import { Skeleton } from './components/states.js';
import { NamesProvider } from './hooks/names.js';
import { useTenants } from './hooks/tenants.js';
import { type Scope, type Workbench, WorkbenchContext } from './hooks/workbench.js';
import { useRoute } from './route.js';
import { findView, NAVIGATION } from './views/index.js';
import { NoKeys, NoTenant } from './views/no-tenant.js';
import { SignIn } from './views/sign-in.js';

const log = new EventLog();

/** The page: its frame, and the view of the current route. */
export function App() {
  const route = useRoute();
  const [signInReason, setSignInReason] = useState(getControlToken() === '' ? '' : undefined);
  const [state, setState] = useState<ConnectionState>('connecting');
  const [connection, setConnection] = useState(0);
  const [scopeKind, setScope] = useState<Scope>('tenant');
  const [notice, setNotice] = useState<Notice | undefined>();
  const signIn = useCallback((reason: string) => setSignInReason(reason), []);
  const isOpen = signInReason === undefined;
  const tenants = useTenants(log, connection, signIn);
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const onState = (next: ConnectionState) => {
      setState(next);
      if (next !== 'live') return;
      log.clear();
      setConnection((count) => count + 1);
    };
    followEvents({ onEvents: (events) => log.add(events), onState }).catch((error) => signIn(error.message));
  }, [isOpen, signIn]);

  const attempt = useCallback(
    async (action: () => Promise<unknown>, success?: string) => {
      setNotice(undefined);
      try {
        await action();
        if (success) setNotice({ tone: 'good', text: success });
        return true;
      } catch (error) {
        if (error instanceof SignInError) signIn(error.message);
        else setNotice({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
        return false;
      }
    },
    [signIn],
  );

  const { tenant, service } = tenants;
  const isShared = (tenants.names?.length ?? 0) > 1;
  const scope = isShared && scopeKind === 'tenant' ? tenant?.id : undefined;
  const workbench = useMemo<Workbench | undefined>(
    () => tenant && { tenant, service, isShared, scope, setScope, events: log, connection, attempt, signIn },
    [tenant, service, isShared, scope, connection, attempt, signIn],
  );

  if (!isOpen) {
    const open = (token: string) => {
      setControlToken(token);
      setSignInReason(undefined);
    };
    return <SignIn reason={signInReason} onSignIn={open} />;
  }

  const view = findView(route);
  const content = () => {
    if (tenants.names?.length === 0) return <NoTenant onCreated={tenants.reload} />;
    if (!workbench || !view) return <Skeleton lines={8} />;
    return view.needsKeys && !service ? (
      <NoKeys />
    ) : (
      <NamesProvider key={tenant?.id}>
        <view.component key={route.path.join('/')} route={route} />
      </NamesProvider>
    );
  };
  return (
    <WorkbenchContext.Provider value={workbench}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header state={state} tenants={tenants} />
      <div class="frame">
        <Navigation groups={NAVIGATION} current={view?.section ?? ''} />
        <main id="main" ref={main} tabIndex={-1}>
          <NoticeBar notice={notice} onDismiss={() => setNotice(undefined)} />
          {content()}
        </main>
      </div>
    </WorkbenchContext.Provider>
  );
}
