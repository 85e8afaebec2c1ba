import type { PendingDelivery, WebhookEvent } from '../../../../../src/contract/control/deliveries.js';
import { callControl } from '../../api/client.js';
import { Json } from '../../components/code.js';
import { Panel } from '../../components/page.js';
import { type Column, Table } from '../../components/table.js';
import { Action, Id, Status, Time } from '../../components/text.js';
import {
  changesDeliveries,
  type DeliveryEvent,
  useAttempts,
  usePendingDeliveries,
} from '../../hooks/deliveries.js';
import { useControl, useWorkbench } from '../../hooks/emulator.js';
import { hrefTo } from '../../route.js';

const MAX_ROWS = 20;

interface Attempted {
  event: DeliveryEvent;
  /** What was sent, of a webhook event that is recent. */
  payload: WebhookEvent | undefined;
}

function What({ event, payload }: Attempted) {
  if (event.kind === 'callback') {
    const name = event.reactor_name ?? 'a deleted reactor';
    return <a href={hrefTo(['reactors', event.reactor_id])}>callback of {name}</a>;
  }
  if (!payload) return <>{event.event_type}</>;
  return (
    <details>
      <summary>{event.event_type}</summary>
      <Json value={payload} label="Payload" />
    </details>
  );
}

/** Sends a delivery again: a callback as it is, or its event to all webhooks that subscribed to it. */
function SendAgain({ event }: { event: DeliveryEvent }) {
  const { tenant } = useWorkbench();
  const { request_id: id, kind } = event;
  const what = kind === 'webhook' ? event.event_type : kind;
  const resend = () =>
    event.kind === 'callback'
      ? callControl('deliveries.resend', { tenant: tenant.id, path: { id } })
      : callControl('webhookEvents.resend', { tenant: tenant.id, body: { ids: [event.event_id] } });
  return (
    <Action
      small
      name="Send again"
      label={`Send again: ${what} ${id}`}
      run={resend}
      success={`The ${what} is on its way.`}
    />
  );
}

const ATTEMPT_COLUMNS: readonly Column<Attempted>[] = [
  ['Time', 'fit', ({ event }) => <Time value={event.time} short />],
  ['What', 'wide', (attempted) => <What {...attempted} />],
  ['Request ID', 'text', ({ event }) => <Id value={event.request_id} />],
  ['Attempt', 'number', ({ event }) => event.attempt],
  [
    'Response',
    'wide',
    ({ event: { status, error } }) =>
      status === undefined ? <span class="error">{error ?? 'no response'}</span> : <Status value={status} />,
  ],
  ['Delivered', 'fit', ({ event }) => (event.delivered ? 'yes' : 'not yet')],
];

/** Recent attempts with what was sent, the newest first. @param webhookId only to one webhook */
export function Attempts({ webhookId }: { webhookId?: string }) {
  const { value } = useControl('webhookEvents.list', {}, changesDeliveries);
  const payloads = new Map(value?.events.map((payload) => [payload.id, payload]));
  const rows = useAttempts(webhookId).map((event): Attempted => {
    return { event, payload: event.kind === 'webhook' ? payloads.get(event.event_id) : undefined };
  });
  return (
    <Panel title="Attempts of delivery">
      <Table
        label="Attempts of delivery"
        columns={ATTEMPT_COLUMNS}
        actions={({ event }) => <SendAgain event={event} />}
        rows={rows.slice(-MAX_ROWS).reverse()}
        keyOf={({ event: { request_id, attempt, time } }) => `${request_id} ${attempt} ${time}`}
        empty={{ title: 'Nothing was delivered yet.' }}
      />
    </Panel>
  );
}

const PENDING_COLUMNS: readonly Column<PendingDelivery>[] = [
  ['What', 'wide', ({ kind, event_type }) => event_type ?? kind],
  ['URL', 'wide', ({ url }) => <span class="mono">{url}</span>],
  ['Request ID', 'text', ({ request_id }) => <Id value={request_id} />],
  ['Attempts', 'number', ({ attempts }) => attempts],
  ['Last error', 'wide', ({ last_error }) => last_error],
  ['Next attempt', 'fit', ({ next_attempt_at }) => <Time value={next_attempt_at} />],
];

/** Callbacks and webhook events that no receiver has accepted yet; nothing if there are none. @param webhookId only of one */
export function PendingDeliveries({ webhookId }: { webhookId?: string }) {
  const pending = usePendingDeliveries().filter(
    ({ webhook_id }) => webhookId === undefined || webhook_id === webhookId,
  );
  if (pending.length === 0) return null;
  return (
    <Panel title="Pending deliveries" chip={pending.length} actions={<a href="#/clock">Move the clock</a>}>
      <p class="quiet">A delivery with no attempt waits behind an earlier one about the same entity.</p>
      <Table
        label="Pending deliveries"
        columns={PENDING_COLUMNS}
        rows={pending.slice(0, MAX_ROWS)}
        keyOf={({ request_id }) => request_id}
      />
    </Panel>
  );
}
