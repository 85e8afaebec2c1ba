import { useState } from 'preact/hooks';
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
