import { expect, it } from 'vitest';
import { idsIn, useServer } from '../../../support/test-server.js';

const DAY = 86_400_000;
const server = useServer();
const today = "{{ 'now' | date: '%Y-%m-%d' }}";

it('expressions take their date from the clock of the emulator: set, frozen and advanced', async () => {
  const { clock } = server.emulator;
  clock.freeze();
  await clock.set(Date.parse('2031-02-28T12:00:00Z'));
  const created = await server.token({
    type: 'token',
    data: 'x',
    id: `day-${today}`,
    mask: today,
    search_indexes: [today],
  });
  expect([created.id, created.data]).toEqual(['day-2031-02-28', '2031-02-28']);

  await clock.advance(DAY);
  const masked = await server.application({ permissions: ['token:read'] });
  const shown = await server.get(`/tokens/${created.id}`, { key: masked });
  expect(shown.body.data).toBe('2031-03-01');
  const used = await server.post('/detokenize', `{{ ${created.id} | replace: 'x', 'now' | date: '%d.%m.' }}`);
  expect(used.body).toBe('01.03.');
  const found = await server.post('/tokens/search', { query: 'data:"2031-02-28"' });
  expect(idsIn(found)).toEqual([created.id]);
});
