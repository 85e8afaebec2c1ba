import { useState } from 'preact/hooks';
import type { WebhookEvent } from '../../../../../src/contract/control/deliveries.js';
import { callControl } from '../../api/control-client.js';
import { Action } from '../../components/action.js';
import { Checkbox } from '../../components/fields.js';
import { Json } from '../../components/json.js';
import { Rows } from '../../components/listing.js';
import { Panel } from '../../components/page.js';
import { Loaded } from '../../components/states.js';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { useWorkbench } from '../../hooks/workbench.js';

const MAX_ROWS = 20;

/**
 * The recent events that webhooks subscribed to, with what is sent of them, to deliver them again.
 * @param ids only of these
 */
export function WebhookEvents({ ids }: { ids?: ReadonlySet<string> }) {
  const { tenant } = useWorkbench();
  const [shuffle, setShuffle] = useState(false);
  const events = useResource(() => callControl('webhookEvents.list', { tenant: tenant.id }), []);
  useReloadOn((event) => changesData(event) || event.kind === 'webhook', events.reload);
  const resend = (chosen: string[]) =>
    callControl('webhookEvents.resend', { tenant: tenant.id, body: { ids: chosen, shuffle } });
  const success = 'The deliveries are on their way.';
  const columns: readonly Column<WebhookEvent>[] = [
    { name: 'Time', kind: 'fit', cell: ({ timestamp }) => <Time value={timestamp} short /> },
    { name: 'Event', kind: 'wide', cell: (event) => <Payload event={event} /> },
    {
      name: 'Actions',
      kind: 'fit',
      cell: ({ id, type }) => (
        <Action
          small
          name="Deliver again"
          label={`Deliver again: ${type}`}
          run={() => resend([id])}
          success={success}
        />
      ),
    },
  ];
  return (
    <Loaded resource={events}>
      {({ events: all }) => {
        const list = all.filter(({ id }) => ids === undefined || ids.has(id));
        return (
          <Panel
            title="Events"
            actions={
              list.length > 0 && (
                <>
                  <Checkbox label="In random order" checked={shuffle} onChange={setShuffle} />
                  <Action
                    name="Deliver all again"
                    run={() => resend(list.map(({ id }) => id))}
                    success={success}
                  />
                </>
              )
            }
          >
            <Rows
              title="Events"
              columns={columns}
              rows={list.toReversed().slice(0, MAX_ROWS)}
              empty={{ children: 'Once there is a webhook, the events that it subscribed to appear here.' }}
            />
          </Panel>
        );
      }}
    </Loaded>
  );
}

function Payload({ event }: { event: WebhookEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{event.type}</summary>
      {isOpen && <Json value={event} label="Payload" />}
    </details>
  );
}
