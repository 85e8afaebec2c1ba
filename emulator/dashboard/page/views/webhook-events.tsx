import { useState } from 'preact/hooks';
import type { PendingDelivery } from '../../../../src/contract/control/deliveries.js';
import type { WebhookEvent } from '../../../../src/contract/control/webhook-events.js';
import { callControl } from '../api/control-client.js';
import { Checkbox } from '../components/fields.js';
import { Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Table } from '../components/table.js';
import { Id, Time } from '../components/text.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';

const MAX_ROWS = 20;

/** The recent events that webhooks subscribed to, to deliver them again. */
export function WebhookEvents() {
  const { tenant, attempt } = useWorkbench();
  const [shuffle, setShuffle] = useState(false);
  const events = useResource(() => callControl('webhookEvents.list', { tenant: tenant.id }), []);
  useReloadOn((event) => changesData(event) || event.kind === 'webhook', events.reload);

  const resend = (ids: string[]) =>
    attempt(
      () => callControl('webhookEvents.resend', { tenant: tenant.id, body: { ids, shuffle } }),
      'The deliveries are on their way.',
    );

  const columns: readonly Column<WebhookEvent>[] = [
    { name: 'Time', kind: 'fit', cell: ({ timestamp }) => <Time value={timestamp} short /> },
    { name: 'Type', kind: 'wide', cell: ({ type }) => type },
    { name: 'Event ID', cell: ({ id }) => <Id value={id} /> },
    {
      name: 'Actions',
      kind: 'fit',
      cell: ({ id, type }) => (
        <button
          type="button"
          class="small"
          aria-label={`Deliver again: ${type}`}
          onClick={() => resend([id])}
        >
          Deliver again
        </button>
      ),
    },
  ];
  return (
    <Loaded resource={events}>
      {(list) => {
        const own = list.events.toReversed();
        return (
          <Panel
            title="Events"
            actions={
              own.length > 0 && (
                <>
                  <Checkbox label="In random order" checked={shuffle} onChange={setShuffle} />
                  <button type="button" onClick={() => resend(own.map(({ id }) => id))}>
                    Deliver all again
                  </button>
                </>
              )
            }
          >
            {own.length > 0 ? (
              <Table label="Events" columns={columns} rows={own.slice(0, MAX_ROWS)} keyOf={({ id }) => id} />
            ) : (
              <EmptyState title="No events yet.">
                Once there is a webhook, the events that it subscribed to appear here.
              </EmptyState>
            )}
          </Panel>
        );
      }}
    </Loaded>
  );
}

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
