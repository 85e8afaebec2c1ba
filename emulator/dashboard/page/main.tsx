import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isSignedIn, SIGNED_OUT, signIn, takeTokenFromAddress } from './api/client.js';
import { type ConnectionState, followEvents } from './api/events.js';
import { Header, Navigation, Preferences } from './components/frame.js';
import { NAVIGATION } from './components/navigation.js';
import { type Notice, NoticeBar, Skeleton } from './components/page.js';
import { Search } from './components/search.js';
import { NamesProvider, type Workbench, WorkbenchContext } from './hooks/emulator.js';
import { useTenants } from './hooks/tenants.js';
import { useRoute } from './route.js';
import { findView } from './views/index.js';
import { NoKeys, NoTenant, SignIn } from './views/sign-in.js';

/** The page: it asks for the control token if there is none, or it is not accepted. */
function App() {
  const [reason, setReason] = useState(isSignedIn() ? undefined : '');
  useEffect(() => {
    const ask = () => setReason('The control token is not accepted.');
    // The address that the emulator printed, opened in this tab, signs in.
    const take = () => takeTokenFromAddress() && setReason(undefined);
    window.addEventListener(SIGNED_OUT, ask);
    window.addEventListener('hashchange', take);
    return () => {
      window.removeEventListener(SIGNED_OUT, ask);
      window.removeEventListener('hashchange', take);
    };
  }, []);
  if (reason === undefined) return <Dashboard />;
  const open = (token: string) => {
    signIn(token);
    setReason(undefined);
  };
  return <SignIn reason={reason} onSignIn={open} />;
}

function Dashboard() {
  const route = useRoute();
  const [state, setState] = useState<ConnectionState>('connecting');
  const [notice, setNotice] = useState<Notice | undefined>();
  const tenants = useTenants();
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    const left = new AbortController();
    followEvents(setState, left.signal);
    return () => left.abort();
  }, []);

  const attempt: Workbench['attempt'] = async (action, success) => {
    setNotice(undefined);
    try {
      await action();
      if (success) setNotice({ tone: 'good', text: success });
    } catch (error) {
      setNotice({ tone: 'bad', text: (error as Error).message });
    }
  };

  const { tenant, service } = tenants;
  const isShared = (tenants.names?.length ?? 0) > 1;
  const scope = isShared ? tenant?.id : undefined;
  const workbench = tenant && { tenant, service, isShared, scope, attempt };

  const view = findView(route);
  const content = () => {
    if (tenants.names?.length === 0) return <NoTenant onCreated={tenants.reload} />;
    if (!workbench) return <Skeleton lines={8} />;
    if (view.needsKeys && !service) return <NoKeys />;
    return (
      <Preferences>
        <view.component key={[tenant?.id, ...route.path].join('/')} route={route} />
      </Preferences>
    );
  };
  const page = (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header state={state} tenants={tenants}>
        {workbench && <Search groups={NAVIGATION} />}
      </Header>
      <div class="frame">
        <Navigation groups={NAVIGATION} current={view.section} isCounted={workbench !== undefined} />
        <main id="main" ref={main} tabIndex={-1}>
          <NoticeBar notice={notice} onDismiss={() => setNotice(undefined)} />
          {content()}
        </main>
      </div>
    </>
  );
  return (
    <WorkbenchContext.Provider value={workbench}>
      {workbench ? <NamesProvider>{page}</NamesProvider> : page}
    </WorkbenchContext.Provider>
  );
}

takeTokenFromAddress();
render(<App />, document.getElementById('app') as HTMLElement);
