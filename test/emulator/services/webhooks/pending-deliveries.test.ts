import { expect, test } from 'vitest';
import { createEvent, createEventDelivery } from '../../../../emulator/services/webhooks/delivery-record.js';
import { removeDelivery } from '../../../../emulator/services/webhooks/pending-deliveries.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { WebhookRecord } from '../../../../emulator/store/records.js';

const NOW = '2031-01-01T00:00:00.000Z';
const event = { id: 'e', type: 'token.created', timestamp: NOW, tenant_id: 't', data: { token: { id: '' } } };
const webhook = (id: string) => ({ id, tenant_id: 't', url: 'http://localhost/' }) as WebhookRecord;

test('an event is stored until the last of its deliveries is removed, however they end', async () => {
  const store = createMemoryStore();
  const record = createEvent('record', event, NOW);
  const deliveries = ['a', 'b', 'c', 'd'].map((id) =>
    createEventDelivery(id, { event }, record, webhook(id), 'secret'),
  );
  const removed: string[] = [];
  const services = { store, room: { remove: (_tenant: string, id: string) => void removed.push(id) } };
  await store.commit([
    { insert: 'events', record },
    ...deliveries.map((delivery) => ({ insert: 'deliveries', record: delivery }) as const),
  ]);
  const [first, second, third, fourth] = deliveries;
  if (!first || !second || !third || !fourth) throw new Error('Four were made.');
  await removeDelivery(first, services);
  expect(await store.get('events', 't', 'record')).toMatchObject(record);
  await Promise.all([second, third].map((delivery) => removeDelivery(delivery, services)));
  expect([await store.get('events', 't', 'record'), removed]).toEqual([expect.objectContaining(record), []]);
  await removeDelivery(fourth, services);
  expect([await store.get('events', 't', 'record'), removed]).toEqual([undefined, ['record']]);
});
