import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { callControl } from '../api/control-client.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Table } from '../components/table.js';
import { Id, Status, Time } from '../components/text.js';
import { changesData, useEvents, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService, useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';
import { WebhookForm, WebhookTable } from './resources/webhook.js';
import { PendingDeliveries, WebhookEvents } from './webhook-events.js';

const MAX_ROWS = 20;

/** Webhooks, the events that they receive, and deliveries, callbacks of reactors included. */
export function Webhooks() {
  const service = useService();
  const webhooks = useResource(() => service.read('webhooks.list', { query: { size: 100 } }), [service]);
  useReloadOn(changesData, webhooks.reload);
  return (
    <Page
      title="Webhooks"
      summary="Events of the tenant, sent to URLs of yours; and the callbacks of reactors."
    >
      <Panel title="Webhooks of the tenant">
        <Loaded resource={webhooks}>
          {({ data }) =>
            data.length > 0 ? (
              <WebhookTable webhooks={data} />
            ) : (
              <EmptyState title="No webhooks yet." command="tokenctl webhook listen">
                Create one below, or print events in a terminal.
              </EmptyState>
            )
          }
        </Loaded>
        <WebhookForm />
      </Panel>
      <PendingDeliveries />
      <WebhookEvents />
      <Deliveries />
    </Page>
  );
}

type DeliveryEvent = Extract<EmulatorEvent, { kind: 'callback' | 'webhook' }>;

const isDelivery = (event: EmulatorEvent): event is DeliveryEvent =>
  event.kind === 'callback' || event.kind === 'webhook';

/** Sends a callback again; events of webhooks have buttons of their own. */
function SendAgain({ request_id: id }: DeliveryEvent) {
  const { attempt, tenant } = useWorkbench();
  const resend = () => callControl('deliveries.resend', { tenant: tenant.id, path: { id } });
  return (
    <button
      type="button"
      class="small"
      aria-label={`Send the callback ${id} again`}
      onClick={() => attempt(resend, 'The callback is on its way.')}
    >
      Send again
    </button>
  );
}

const DELIVERY_COLUMNS: readonly Column<DeliveryEvent>[] = [
  { name: 'Time', kind: 'fit', cell: ({ time }) => <Time value={time} short /> },
  {
    name: 'What',
    kind: 'wide',
    cell: (event) =>
      event.kind === 'webhook' ? (
        event.event_type
      ) : (
        <a href={hrefTo(['reactors', event.reactor_id])}>
          callback of {event.reactor_name ?? 'a deleted reactor'}
        </a>
      ),
  },
  { name: 'Request ID', cell: ({ request_id }) => <Id value={request_id} /> },
  { name: 'Attempt', kind: 'number', cell: ({ attempt }) => attempt },
  { name: 'Response', kind: 'fit', cell: ({ status }) => <Status value={status} /> },
  {
    name: 'Delivered',
    kind: 'fit',
    cell: ({ delivered }) => (delivered ? 'yes' : 'not yet'),
  },
  {
    name: 'Again',
    kind: 'fit',
    cell: (event) => (event.kind === 'callback' ? <SendAgain {...event} /> : null),
  },
];

function Deliveries() {
  const deliveries = useEvents().filter(isDelivery).slice(-MAX_ROWS).reverse();
  return (
    <Panel title="Attempts of delivery">
      {deliveries.length > 0 ? (
        <Table
          label="Attempts of delivery"
          columns={DELIVERY_COLUMNS}
          rows={deliveries}
          keyOf={({ request_id, attempt, time }) => `${request_id} ${attempt} ${time}`}
        />
      ) : (
        <EmptyState title="Nothing was delivered yet.">
          Attempts to deliver events and callbacks appear here.
        </EmptyState>
      )}
    </Panel>
  );
}
