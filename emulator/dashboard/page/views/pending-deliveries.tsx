import type { PendingDelivery } from '../../../../src/contract/control/deliveries.js';
import { callControl } from '../api/control-client.js';
import { Panel } from '../components/page.js';
import { type Column, Table } from '../components/table.js';
import { Id, Time } from '../components/text.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';

const COLUMNS: readonly Column<PendingDelivery>[] = [
  { name: 'What', kind: 'wide', cell: ({ kind, event_type }) => event_type ?? kind },
  { name: 'URL', kind: 'wide', cell: ({ url }) => <span class="mono">{url}</span> },
  { name: 'Request ID', cell: ({ request_id }) => <Id value={request_id} /> },
  { name: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
  { name: 'Last error', kind: 'wide', cell: ({ last_error }) => last_error },
  { name: 'Next attempt', kind: 'fit', cell: ({ next_attempt_at }) => <Time value={next_attempt_at} /> },
];

/** Callbacks and webhook events that no receiver has accepted yet; nothing if there are none. */
export function PendingDeliveries() {
  const { tenant } = useWorkbench();
  const { value, reload } = useResource(() => callControl('deliveries.list', { tenant: tenant.id }), []);
  useReloadOn((event) => changesData(event) || ['callback', 'webhook'].includes(event.kind), reload);
  if (!value || value.deliveries.length === 0) return null;
  return (
    <Panel
      title="Pending deliveries"
      chip={value.deliveries.length}
      actions={<a href="#/clock">Move the clock</a>}
    >
      <p class="quiet">
        Tried again with growing delays, up to 10 times. Moving the clock to the next attempt makes it now.
      </p>
      <Table
        label="Pending deliveries"
        columns={COLUMNS}
        rows={value.deliveries}
        keyOf={({ request_id }) => request_id}
      />
    </Panel>
  );
}
