import { useEffect, useRef } from 'preact/hooks';
import { callControl } from '../api/client.js';
import { Form } from '../components/form.js';
import { EmptyState, ErrorState, Page } from '../components/page.js';

/** @param reason why the control token is asked for again; empty at first */
export function SignIn({ reason, onSignIn }: { reason: string; onSignIn: (token: string) => void }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = 'Control token · tokenctl emulator';
    section.current?.querySelector('input')?.focus();
  }, []);
  return (
    <main>
      <section ref={section} class="panel narrow" aria-label="Sign in">
        <h1>Control token</h1>
        <p>
          Open this page with <code>tokenctl emulator open</code>, or paste the <code>control_token</code> of
          the state file <code>.tokenctl/state.json</code>.
        </p>
        {reason && <ErrorState error={new Error(reason)} />}
        <Form
          label="Sign in"
          submit="Open"
          fields={{ token: { kind: 'password', label: 'Control token', required: true } }}
          save={async ({ token }: { token: string }) => onSignIn(token)}
        />
      </section>
    </main>
  );
}

/** Stands for every view when the last tenant was deleted. */
export const NoTenant = ({ onCreated }: { onCreated: () => void }) => (
  <section class="panel narrow" aria-label="No tenant">
    <h1>There is no tenant</h1>
    <p>The last one was deleted.</p>
    <NewTenant onCreated={onCreated} />
  </section>
);

export const NewTenant = ({ onCreated }: { onCreated: () => void }) => (
  <Form
    label="New tenant"
    submit="Create tenant"
    fields={{
      name: { kind: 'text', required: true, hint: 'It has three applications with keys of their own.' },
    }}
    save={(body: { name: string }) => callControl('tenants.create', { body }).then(onCreated)}
  />
);

export const NotFound = () => (
  <Page title="Not found">
    <EmptyState title="There is no such view." />
  </Page>
);

/** Stands for a view that calls the service, for a tenant whose keys are not known. */
export const NoKeys = () => (
  <Page title="Keys not known">
    <EmptyState
      title="This view calls the service with the keys of the tenant's seeded applications."
      command="tokenctl emulator keys"
    >
      This tenant was imported, or its seeded applications were deleted. See its <a href="#/tokens">tokens</a>
      .
    </EmptyState>
  </Page>
);
