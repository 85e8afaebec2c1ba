import { useState } from 'preact/hooks';
import { callControl } from '../api/control-client.js';
import { TextField } from '../components/fields.js';
import { Page } from '../components/page.js';
import { EmptyState } from '../components/states.js';

/** Stands for every view when the last tenant was deleted. */
export function NoTenant({ onCreated }: { onCreated: () => void }) {
  const [name, setName] = useState('Shop');
  const [error, setError] = useState<string | undefined>();
  const create = (event: Event) => {
    event.preventDefault();
    callControl('tenants.create', { body: { name } }).then(onCreated, ({ message }) => setError(message));
  };
  return (
    <section class="panel narrow" aria-label="No tenant">
      <h1>There is no tenant</h1>
      <p>The last one was deleted. A new one has three applications with keys of their own.</p>
      <form class="form" onSubmit={create}>
        <TextField label="Name" value={name} onChange={setName} error={error} required />
        <div class="row">
          <button type="submit" class="primary">
            Create a tenant
          </button>
        </div>
      </form>
    </section>
  );
}

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="There is no such view.">
        The address may be that of another version. <a href="#/">Go to the overview.</a>
      </EmptyState>
    </Page>
  );
}

/** Stands for a view that calls the service, for a tenant whose keys are not known. */
export function NoKeys() {
  return (
    <Page title="Keys not known">
      <EmptyState
        title="This view calls the service with the keys of the tenant's seeded applications."
        command="tokenctl emulator keys"
      >
        The emulator knows the keys of tenants that it created. This tenant was imported, or its seeded
        applications were deleted. Choose another tenant above, or see its <a href="#/tokens">tokens</a>,
        whose data is masked.
      </EmptyState>
    </Page>
  );
}
