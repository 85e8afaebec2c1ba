import { useState } from 'preact/hooks';
import type { ApplicationKey } from '../../../../../src/contract/schemas/index.js';
import { Action } from '../../components/action.js';
import { Panel } from '../../components/page.js';
import { Loaded } from '../../components/states.js';
import { type Column, Table } from '../../components/table.js';
import { CopyButton, Id, Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { useService } from '../../hooks/workbench.js';

/** The keys of an application. A new one is shown once. */
export function ApplicationKeys({ id }: { id: string }) {
  const service = useService();
  const keys = useResource(() => service.read('applications.keys.list', { path: { id } }), [service, id]);
  useReloadOn(changesData, keys.reload);
  const [created, setCreated] = useState<string | undefined>();
  const create = async () =>
    setCreated((await service.call('applications.keys.create', { path: { id }, body: {} })).key);
  const columns: readonly Column<ApplicationKey>[] = [
    { name: 'Key ID', kind: 'wide', cell: (key) => <Id value={key.id} /> },
    { name: 'Created', kind: 'fit', cell: ({ created_at }) => <Time value={created_at} /> },
    { name: 'Expires', kind: 'fit', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      name: 'Actions',
      kind: 'fit',
      cell: (key) => (
        <Action
          name="Delete …"
          run={() => service.call('applications.keys.delete', { path: { id, key_id: key.id } })}
          success="The key is deleted."
          ask={['Delete this key?', 'Requests with it get 401 from then on.']}
        />
      ),
    },
  ];
  return (
    <Panel title="Keys" actions={<Action name="New key" run={create} />}>
      {created !== undefined && (
        <div class="notice" data-tone="good" role="status">
          <p>
            The new key, shown this once: <code class="wrap">{created}</code>
          </p>
          <CopyButton text={created} label="the key" />
        </div>
      )}
      <Loaded resource={keys} lines={2}>
        {(list) => <Table label="Keys" columns={columns} rows={list} keyOf={(key) => key.id} />}
      </Loaded>
    </Panel>
  );
}
