import type { PendingDelivery } from '../../../../../src/contract/control/deliveries.js';
import type { EmulatorEvent } from '../../../../../src/contract/control/events.js';
import { callControl } from '../../api/control-client.js';
import { Action } from '../../components/action.js';
import { Rows } from '../../components/listing.js';
import { Panel } from '../../components/page.js';
import { type Column, Table } from '../../components/table.js';
import { Id, Status, Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { useWorkbench } from '../../hooks/workbench.js';
import { hrefTo } from '../../route.js';

const MAX_ROWS = 20;

export type DeliveryEvent = Extract<EmulatorEvent, { kind: 'callback' | 'webhook' }>;

export const isDelivery = (event: EmulatorEvent): event is DeliveryEvent =>
  event.kind === 'callback' || event.kind === 'webhook';

function What({ event }: { event: DeliveryEvent }) {
  if (event.kind === 'webhook') return <>{event.event_type}</>;
  const name = event.reactor_name ?? 'a deleted reactor';
  return <a href={hrefTo(['reactors', event.reactor_id])}>callback of {name}</a>;
}

/** Sends a delivery again: a callback as it is, or its event to all webhooks that subscribed to it. */
function SendAgain({ event }: { event: DeliveryEvent }) {
  const { tenant } = useWorkbench();
  const { request_id: id, kind } = event;
  const resend = () =>
    event.kind === 'callback'
      ? callControl('deliveries.resend', { tenant: tenant.id, path: { id } })
      : callControl('webhookEvents.resend', { tenant: tenant.id, body: { ids: [event.event_id] } });
  const success = `The ${kind} is on its way.`;
  return (
    <Action small name="Send again" label={`Send again: ${kind} ${id}`} run={resend} success={success} />
  );
}

const ATTEMPT_COLUMNS: readonly Column<DeliveryEvent>[] = [
  { name: 'Time', kind: 'fit', cell: ({ time }) => <Time value={time} short /> },
  { name: 'What', kind: 'wide', cell: (event) => <What event={event} /> },
  { name: 'Request ID', cell: ({ request_id }) => <Id value={request_id} /> },
  { name: 'Attempt', kind: 'number', cell: ({ attempt }) => attempt },
  {
    name: 'Response',
    kind: 'wide',
    cell: ({ status, error }) =>
      status === undefined ? <span class="error">{error ?? 'no response'}</span> : <Status value={status} />,
  },
  { name: 'Delivered', kind: 'fit', cell: ({ delivered }) => (delivered ? 'yes' : 'not yet') },
  { name: 'Again', kind: 'fit', cell: (event) => <SendAgain event={event} /> },
];

/** The last attempts to deliver something. */
export function Attempts({ attempts }: { attempts: readonly DeliveryEvent[] }) {
  return (
    <Panel title="Attempts of delivery">
      <Rows
        title="Attempts of delivery"
        columns={ATTEMPT_COLUMNS}
        rows={attempts.slice(-MAX_ROWS).reverse()}
        keyOf={({ request_id, attempt, time }) => `${request_id} ${attempt} ${time}`}
        empty={{ title: 'Nothing was delivered yet.' }}
      />
    </Panel>
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

/** Callbacks and webhook events that no receiver has accepted yet; nothing if there are none. @param webhookId only of one */
export function PendingDeliveries({ webhookId }: { webhookId?: string }) {
  const { tenant } = useWorkbench();
  const { value, reload } = useResource(() => callControl('deliveries.list', { tenant: tenant.id }), []);
  useReloadOn((event) => changesData(event) || isDelivery(event), reload);
  const pending = (value?.deliveries ?? []).filter(
    ({ webhook_id }) => webhookId === undefined || webhook_id === webhookId,
  );
  if (pending.length === 0) return null;
  return (
    <Panel title="Pending deliveries" chip={pending.length} actions={<a href="#/clock">Move the clock</a>}>
      <p class="quiet">
        Tried again with growing delays, up to 10 times, one after another for each entity: a delivery with no
        attempt waits behind an earlier one. Moving the clock to the next attempt makes it now.
      </p>
      <Table
        label="Pending deliveries"
        columns={COLUMNS}
        rows={pending}
        keyOf={({ request_id }) => request_id}
      />
    </Panel>
  );
}
