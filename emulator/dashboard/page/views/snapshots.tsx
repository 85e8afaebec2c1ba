import { useState } from 'preact/hooks';
import type { SnapshotInfo } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/control-client.js';
import { Action } from '../components/action.js';
import { TextField } from '../components/fields.js';
import { Form } from '../components/form.js';
import { ScopeSwitch } from '../components/header.js';
import { Rows } from '../components/listing.js';
import { Page, Panel } from '../components/page.js';
import { Loaded } from '../components/states.js';
import type { Column } from '../components/table.js';
import { Time } from '../components/text.js';
import { formatNumber } from '../format.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';

/** Named copies of all data, to go back to. */
export function Snapshots() {
  const { scope } = useWorkbench();
  const all = scope === undefined ? 'All data of all tenants' : 'All data of the tenant';
  const snapshots = useResource(() => callControl('snapshots.list', { tenant: scope }), [scope]);
  useReloadOn(({ kind }) => kind === 'snapshot', snapshots.reload);
  const [name, setName] = useState('');
  const save = async () => {
    await callControl('snapshots.save', { tenant: scope, body: { name } });
    setName('');
    snapshots.reload();
  };
  const columns: readonly Column<SnapshotInfo>[] = [
    { name: 'Name', kind: 'wide', cell: (snapshot) => <code>{snapshot.name}</code> },
    { name: 'Tokens', kind: 'number', cell: ({ tokens }) => formatNumber(tokens) },
    { name: 'Saved', kind: 'fit', cell: ({ created_at }) => <Time value={created_at} /> },
    {
      name: 'Actions',
      kind: 'fit',
      cell: (snapshot) => (
        <Action
          name="Restore …"
          run={() => callControl('snapshots.restore', { tenant: scope, path: { name: snapshot.name } })}
          success={`The data is as it was in ${snapshot.name}.`}
          ask={[
            `Restore ${snapshot.name}?`,
            `${all} is replaced by that of the snapshot. The keys do not change.`,
          ]}
        />
      ),
    },
  ];
  return (
    <Page
      title="Snapshots"
      actions={<ScopeSwitch />}
      summary="Copies of the data, to start tests from the same state again."
    >
      <div class="columns">
        <Panel title="Saved snapshots">
          <Loaded resource={snapshots}>
            {(list) => (
              <Rows
                title="Snapshots"
                columns={columns}
                rows={list.snapshots}
                keyOf={(snapshot) => snapshot.name}
                empty={{ command: 'tokenctl emulator snapshot save before-tests' }}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title="New snapshot">
          <Form label="New snapshot" submit="Save snapshot" onSubmit={save}>
            <TextField
              label="Name"
              mono
              value={name}
              onChange={setName}
              hint="Letters, digits and . _ -; one of the same name is replaced."
              placeholder="before-tests"
              required
            />
          </Form>
        </Panel>
      </div>
    </Page>
  );
}
