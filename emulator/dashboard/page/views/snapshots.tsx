import type { SnapshotInfo } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/client.js';
import { FormPanel } from '../components/form.js';
import { Page, Panel } from '../components/page.js';
import { type Column, Table } from '../components/table.js';
import { Action, Time } from '../components/text.js';
import { formatNumber } from '../format.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';

const COLUMNS: readonly Column<SnapshotInfo>[] = [
  ['Name', 'wide', ({ name }) => <code>{name}</code>],
  ['Tokens', 'number', ({ tokens }) => formatNumber(tokens)],
  ['Saved', 'fit', ({ created_at }) => <Time value={created_at} />],
];

export function Snapshots() {
  const { scope: tenant } = useWorkbench();
  const snapshots = useControl('snapshots.list', { tenant }, ({ kind }) => kind === 'snapshot');
  return (
    <Page title="Snapshots" summary="Copies of the data, to start tests from the same state again.">
      <div class="columns">
        <Panel title="Saved snapshots" resource={snapshots}>
          {(list) => (
            <Table
              label="Snapshots"
              columns={COLUMNS}
              actions={({ name }) => (
                <Action
                  name="Restore …"
                  run={() => callControl('snapshots.restore', { tenant, path: { name } })}
                  success={`The data is as it was in ${name}.`}
                  ask={[
                    `Restore ${name}?`,
                    'All data of the tenant is replaced by that of the snapshot. The keys do not change.',
                  ]}
                />
              )}
              rows={list.snapshots}
              keyOf={({ name }) => name}
              empty={{ command: 'tokenctl emulator snapshot save before-tests' }}
            />
          )}
        </Panel>
        <FormPanel
          label="New snapshot"
          submit="Save snapshot"
          fields={{
            name: {
              kind: 'text',
              hint: 'Letters, digits and . _ -; one of the same name is replaced.',
              placeholder: 'before-tests',
              mono: true,
              required: true,
            },
          }}
          save={(body: { name: string }) =>
            callControl('snapshots.save', { tenant, body }).then(snapshots.reload)
          }
        />
      </div>
    </Page>
  );
}
