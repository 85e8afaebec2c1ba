import { useState } from 'preact/hooks';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Webhook } from '../../../../../src/contract/schemas/index.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { Form } from '../../components/form.js';
import { type Column, Table } from '../../components/table.js';
import { Badge, Path } from '../../components/text.js';
import { useService, useWorkbench } from '../../hooks/workbench.js';
import { bodyOf, FormFields, inputsOf } from './form-fields.js';
import { type ResourceForm, useOperations } from './resource-page.js';

const FORM: ResourceForm<Webhook> = {
  row: RESOURCES.webhook,
  form: {
    name: { label: 'Name' },
    url: { label: 'URL', placeholder: 'http://127.0.0.1:3000/webhook' },
    events: { label: 'Events' },
  },
  start: { events: ['token.created'] },
};

export function WebhookForm() {
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

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
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
