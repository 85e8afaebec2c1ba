import { useState } from 'preact/hooks';
import { EVENT_TYPES, type EventType } from '../../../../src/contract/event-types.js';
import { Checkbox, TextField } from '../components/fields.js';
import { Form } from '../components/form.js';
import { useService } from '../hooks/workbench.js';

export function WebhookForm() {
  const service = useService();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly EventType[]>(['token.created']);
  const toggle = (type: EventType, isChosen: boolean) =>
    setEvents(isChosen ? [...events, type] : events.filter((one) => one !== type));
  const create = async () => {
    await service.call('webhooks.create', { body: { name, url, events: [...events] } });
    setName('');
    setUrl('');
  };
  return (
    <details>
      <summary>New webhook</summary>
      <Form label="New webhook" submit="Create webhook" onSubmit={create}>
        <TextField label="Name" value={name} onChange={setName} required />
        <TextField
          label="URL"
          type="url"
          value={url}
          onChange={setUrl}
          placeholder="http://127.0.0.1:3000/webhook"
          required
        />
        <fieldset>
          <legend>Events</legend>
          <div class="checks">
            {EVENT_TYPES.map((type) => (
              <Checkbox
                key={type}
                label={type}
                checked={events.includes(type)}
                onChange={(isChosen) => toggle(type, isChosen)}
              />
            ))}
          </div>
        </fieldset>
      </Form>
    </details>
  );
}
