import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Webhook } from '../../../../../src/contract/schemas/index.js';
import { Action, Badge } from '../../components/text.js';
import { formatNumber } from '../../format.js';
import { useAttempts } from '../../hooks/deliveries.js';
import { useService } from '../../hooks/emulator.js';
import { Deliveries } from './deliveries.js';
import type { ResourcePage } from './resource-page.js';
import { Definition } from './resource-views.js';

export const webhookPage: ResourcePage<Webhook> = {
  row: RESOURCES.webhook,
  columns: [['Delivered', 'fit', ({ id }) => <SuccessRate id={id} />]],
  command: 'tokenctl webhook listen',
  Below: Deliveries,
  Detail,
  form: {
    url: { label: 'URL', placeholder: 'http://127.0.0.1:3000/webhook' },
    notify_email: { label: 'E-mail address' },
    signature_version: { label: 'Signature' },
  },
  start: { events: ['token.created'] },
};

function Detail({ item }: { item: Webhook }) {
  const { id, name } = item;
  const service = useService();
  const ping = () => service.call('webhooks.ping', { path: { id } });
  const test = (
    <Action small name="Ping" label={`Ping ${name}`} run={ping} success="An event is on its way." />
  );
  return (
    <>
      <Definition
        page={webhookPage}
        item={item}
        more={[
          ['Delivered', <SuccessRate id={id} />],
          ['Test', test],
        ]}
      />
      <Deliveries webhookId={id} />
    </>
  );
}

/** How many of the recent events a webhook has accepted, and what it answered last if it did not. */
function SuccessRate({ id }: { id: string }) {
  const attempts = useAttempts(id);
  const last = attempts.at(-1);
  const sent = new Set(attempts.map(({ request_id }) => request_id)).size;
  const delivered = attempts.filter((attempt) => attempt.delivered).length;
  return (
    last && (
      <Badge tone={delivered === sent ? 'good' : delivered === 0 ? 'bad' : 'warn'}>
        {formatNumber(delivered)} of {formatNumber(sent)}
        {!last.delivered && `, last ${last.status ?? 'no response'}`}
      </Badge>
    )
  );
}
