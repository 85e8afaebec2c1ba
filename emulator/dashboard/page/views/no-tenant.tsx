import { useState } from 'preact/hooks';
import { callControl } from '../api/control-client.js';
import { TextField } from '../components/fields.js';

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
