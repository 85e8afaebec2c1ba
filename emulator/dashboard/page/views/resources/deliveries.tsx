import { useState } from 'preact/hooks';
import type { PendingDelivery, WebhookEvent } from '../../../../../src/contract/control/deliveries.js';
import { callControl } from '../../api/client.js';
import { Json } from '../../components/code.js';
import { Checkbox } from '../../components/form.js';
import { Panel } from '../../components/page.js';
import { type Column, Table } from '../../components/table.js';
import { Action, Id, Status, Time } from '../../components/text.js';
import { changesDeliveries, type DeliveryEvent, usePendingDeliveries } from '../../hooks/deliveries.js';
import { useControl, useWorkbench } from '../../hooks/emulator.js';
import { hrefTo } from '../../route.js';

const MAX_ROWS = 20;

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
  ['Time', 'fit', ({ time }) => <Time value={time} short />],
  ['What', 'wide', (event) => <What event={event} />],
  ['Request ID', 'text', ({ request_id }) => <Id value={request_id} />],
  ['Attempt', 'number', ({ attempt }) => attempt],
  [
    'Response',
    'wide',
    ({ status, error }) =>
      status === undefined ? <span class="error">{error ?? 'no response'}</span> : <Status value={status} />,
  ],
  ['Delivered', 'fit', ({ delivered }) => (delivered ? 'yes' : 'not yet')],
];

export const Attempts = ({ attempts }: { attempts: readonly DeliveryEvent[] }) => (
  <Panel title="Attempts of delivery">
    <Table
      label="Attempts of delivery"
      columns={ATTEMPT_COLUMNS}
      actions={(event) => <SendAgain event={event} />}
      rows={attempts.slice(-MAX_ROWS).reverse()}
      keyOf={({ request_id, attempt, time }) => `${request_id} ${attempt} ${time}`}
      empty={{ title: 'Nothing was delivered yet.' }}
    />
  </Panel>
);

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
      <p class="quiet">
        Tried again with growing delays, up to 10 times, one after another for each entity: a delivery with no
        attempt waits behind an earlier one. Moving the clock to the next attempt makes it now.
      </p>
      <Table
        label="Pending deliveries"
        columns={PENDING_COLUMNS}
        rows={pending}
        keyOf={({ request_id }) => request_id}
      />
    </Panel>
  );
}

const EVENT_COLUMNS: readonly Column<WebhookEvent>[] = [
  ['Time', 'fit', ({ timestamp }) => <Time value={timestamp} short />],
  [
    'Event',
    'wide',
    (event) => (
      <details>
        <summary>{event.type}</summary>
        <Json value={event} label="Payload" />
      </details>
    ),
  ],
];

/**
 * The recent events that webhooks subscribed to, with what is sent of them, to deliver them again.
 * @param ids only of these
 */
export function WebhookEvents({ ids }: { ids?: ReadonlySet<string> }) {
  const { tenant } = useWorkbench();
  const [shuffle, setShuffle] = useState(false);
  const { value, ...events } = useControl('webhookEvents.list', { tenant: tenant.id }, changesDeliveries);
  const list = value?.events.filter(({ id }) => ids === undefined || ids.has(id));
  const resend = (chosen: readonly WebhookEvent[]) => {
    const body = { ids: chosen.map(({ id }) => id), shuffle };
    return callControl('webhookEvents.resend', { tenant: tenant.id, body });
  };
  const success = 'The deliveries are on their way.';
  const actions = list && list.length > 0 && (
    <>
      <Checkbox label="In random order" checked={shuffle} onChange={setShuffle} />
      <Action name="Deliver all again" run={() => resend(list)} success={success} />
    </>
  );
  return (
    <Panel title="Events" actions={actions} resource={{ ...events, ...(list && { value: list }) }}>
      {(rows) => (
        <Table
          label="Events"
          columns={EVENT_COLUMNS}
          actions={(event) => (
            <Action
              small
              name="Deliver again"
              label={`Deliver again: ${event.type}`}
              run={() => resend([event])}
              success={success}
            />
          )}
          rows={rows.toReversed().slice(0, MAX_ROWS)}
          empty={{ children: 'Once there is a webhook, the events that it subscribed to appear here.' }}
        />
      )}
    </Panel>
  );
}
