import { useState } from 'preact/hooks';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { RESOURCES } from '../../../../src/contract/resources.js';
import type { Webhook } from '../../../../src/contract/schemas/index.js';
import { callControl } from '../api/control-client.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { Form } from '../components/form.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Table } from '../components/table.js';
import { Badge, Id, Path, Status, Time } from '../components/text.js';
import { changesData, useEvents, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService, useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';
import { bodyOf, FormFields, inputsOf } from './resources/form-fields.js';
import { type ResourceForm, useOperations } from './resources/resource-page.js';
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

const FORM: ResourceForm<Webhook> = {
  row: RESOURCES.webhook,
  form: {
    name: {},
    url: { label: 'URL', placeholder: 'http://127.0.0.1:3000/webhook' },
    events: {},
  },
  start: { events: ['token.created'] },
};

function WebhookForm() {
  const { create } = useOperations(FORM);
  const [inputs, setInputs] = useState(() => inputsOf(FORM, undefined));
  const save = async () => {
    await create(bodyOf(FORM, inputs, true));
    setInputs({ ...inputs, name: '', url: '' });
  };
  return (
    <details>
      <summary>New webhook</summary>
      <Form label="New webhook" submit="Create webhook" onSubmit={save}>
        <FormFields
          form={FORM}
          inputs={inputs}
          set={(name, value) => setInputs((others) => ({ ...others, [name]: value }))}
          isNew
        />
      </Form>
    </details>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const service = useService();
  const { attempt } = useWorkbench();
  const columns: readonly Column<Webhook>[] = [
    { name: 'Name', kind: 'wide', cell: ({ name }) => name },
    { name: 'URL', kind: 'wide', cell: ({ url }) => <Path value={url} /> },
    { name: 'Events', kind: 'wide', cell: ({ events }) => events.join(', ') },
    {
      name: 'Status',
      kind: 'fit',
      cell: ({ status }) => <Badge tone={status === 'enabled' ? 'good' : 'quiet'}>{status}</Badge>,
    },
    {
      name: 'Actions',
      kind: 'fit',
      cell: ({ id, name }) => (
        <span class="row">
          <button
            type="button"
            class="small"
            aria-label={`Ping ${name}`}
            onClick={() =>
              attempt(() => service.call('webhooks.ping', { path: { id } }), 'A test event is on its way.')
            }
          >
            Ping
          </button>
          <ConfirmButton
            label="Delete …"
            question={`Delete the webhook ${name}?`}
            confirm="Delete"
            onConfirm={() =>
              attempt(() => service.call('webhooks.delete', { path: { id } }), 'The webhook is deleted.')
            }
          >
            Its pending deliveries are dropped.
          </ConfirmButton>
        </span>
      ),
    },
  ];
  return <Table label="Webhooks" columns={columns} rows={webhooks} keyOf={({ id }) => id} />;
}
