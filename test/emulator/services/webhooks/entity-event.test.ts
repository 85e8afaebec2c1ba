import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventsOf } from '../../../../emulator/services/webhooks/entity-event.js';
import type { Change } from '../../../../emulator/store/store.js';

test('the events of a large commit are made in slices, between which others have their turn', async () => {
  const time = '2026-01-31T00:00:00.000Z';
  const changes = Array.from({ length: 100_000 }, (_, index): Change => {
    const entity = { entity_type: 'token', operation: 'create', entity_id: `token-${index}` } as const;
    const record = { ...entity, id: `${index}`, tenant_id: 't', actor_type: 'application', created_at: time };
    return { insert: 'log', record } as Change;
  });
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  const events = await eventsOf(changes, { uuid: randomUUID }, time);
  clearInterval(timer);
  expect(events.map(({ event }) => event.data)).toHaveLength(changes.length);
  expect(events[7]?.event).toMatchObject({ type: 'token.created', data: { token: { id: 'token-7' } } });
  expect(turns).toBeGreaterThan(1);
});
