import type { PendingDelivery, WebhookEvent } from '../../../../../src/contract/control/deliveries.js';
import { callControl } from '../../api/client.js';
import { Json } from '../../components/code.js';
import { type Column, TablePanel } from '../../components/table.js';
import { Action, Badge, Named, Status, Time } from '../../components/text.js';
import { formatNumber } from '../../format.js';
import { changesDeliveries, type DeliveryEvent, useAttempts } from '../../hooks/deliveries.js';
import { useControl, useWorkbench } from '../../hooks/emulator.js';

const MAX_ROWS = 50;

/** A webhook event, or a callback, to one receiver. */
interface Delivery extends Partial<PendingDelivery> {
  request_id: string;
  /** Those that are recent, the newest first. */
  attempted: readonly DeliveryEvent[];
  /** No longer, once it is delivered or given up. */
  isPending: boolean;
  /** What is sent, of a webhook event that is recent. */
  payload: WebhookEvent | undefined;
}

const Answer = ({ status, error }: DeliveryEvent) =>
  status === undefined ? <span class="error">{error ?? 'no response'}</span> : <Status value={status} />;

const What = ({ event_type = 'callback', attempted, payload }: Delivery) => (
  <details>
    <summary>{event_type}</summary>
    <ul>
      {attempted.map((attempt) => (
        <li key={attempt.attempt} class="row">
          Attempt {attempt.attempt} <Answer {...attempt} /> <code>{attempt.response}</code>
          <Time value={attempt.time} />
        </li>
      ))}
    </ul>
    {payload && <Json value={payload} label="Payload" />}
  </details>
);

function State({ isPending, attempted, waits_behind, next_attempt_at }: Delivery) {
  if (attempted[0]?.delivered) return <Badge tone="good">delivered</Badge>;
  if (!isPending) return <Badge tone="bad">given up</Badge>;
  if (waits_behind) return <>waits behind {waits_behind.event_type} of the same entity</>;
  return <Time value={next_attempt_at} />;
}

const COLUMNS: readonly Column<Delivery>[] = [
  ['Last attempt', 'fit', ({ attempted: [last] }) => <Time value={last?.time} short />],
  ['What', 'wide', (delivery) => <What {...delivery} />],
  [
    'To',
    'fit',
    ({ webhook_id, reactor_id }) => (
      <Named id={webhook_id ?? reactor_id} collection={webhook_id ? 'webhooks' : 'reactors'} />
    ),
  ],
  ['Attempts', 'number', ({ attempted: [last], attempts = last?.attempt }) => attempts],
  ['Answer', 'wide', ({ attempted: [last], last_error }) => (last ? <Answer {...last} /> : last_error)],
  ['Next attempt', 'wide', (delivery) => <State {...delivery} />],
];

/** Sends a delivery again: a callback as it is, or its event to all webhooks that subscribed to it. */
function SendAgain({ request_id: id, event_id, event_type = 'callback' }: Delivery) {
  const { tenant } = useWorkbench();
  const resend = () =>
    event_id === undefined
      ? callControl('deliveries.resend', { tenant: tenant.id, path: { id } })
      : callControl('webhookEvents.resend', { tenant: tenant.id, body: { ids: [event_id] } });
  return (
    <Action
      small
      name="Send again"
      label={`Send again: ${event_type} ${id}`}
      run={resend}
      success={`The ${event_type} is on its way.`}
    />
  );
}

/** What is or was to be delivered, the newest attempt first. @param webhookId only to one webhook */
export function Deliveries({ webhookId }: { webhookId?: string }) {
  const attempts = useAttempts(webhookId).toReversed();
  const events = useControl('webhookEvents.list', {}, changesDeliveries).value?.events ?? [];
  const resource = useControl('deliveries.list', {}, changesDeliveries);
  const all = resource.value?.deliveries ?? [];
  const pending = all.filter((one) => webhookId === undefined || one.webhook_id === webhookId);
  const ids = new Set([...attempts, ...pending].map(({ request_id }) => request_id));
  const rows = [...ids].slice(0, MAX_ROWS).map((request_id): Delivery => {
    const isThis = (one: { request_id: string }) => one.request_id === request_id;
    const [attempted, waiting] = [attempts.filter(isThis), pending.find(isThis)];
    const delivery = { ...attempted[0], ...waiting, request_id, attempted, isPending: waiting !== undefined };
    return {
      ...delivery,
      payload: events.find(({ id }) => 'event_id' in delivery && id === delivery.event_id),
    };
  });
  return (
    <TablePanel
      title="Deliveries"
      chip={pending.length > 0 && <Badge tone="warn">{formatNumber(pending.length)} pending</Badge>}
      links={<a href="#/clock">Move the clock</a>}
      resource={resource}
      columns={COLUMNS.filter(([name]) => webhookId === undefined || name !== 'To')}
      actions={(delivery) => <SendAgain {...delivery} />}
      rows={rows}
      keyOf={({ request_id }) => request_id}
      empty={{ title: 'Nothing was delivered yet.' }}
    />
  );
}
