import { describe, expect, it } from 'vitest';
import { holds } from '../../../support/data-dir.js';
import { scratchDir } from '../../../support/executable.js';
import { useServer } from '../../../support/test-server.js';

const HOUR = 3_600_000;
const dataDir = scratchDir();
const server = useServer({ dataDir });
const onDisk = (text: string) => holds(dataDir, text);

/** decisions.md, "Expiration and purge": within one second; a loaded machine gets more before the test fails. */
const gone = (text: string) => expect.poll(() => onDisk(text)).toBe(false);

/** A token whose data is in its indexes, its mask and a stored answer too. */
async function create(secret: string, rest: object = {}): Promise<string> {
  const body = {
    type: 'token',
    data: { secret },
    mask: { s: '{{ data.secret }}' },
    search_indexes: ['<{{ data.secret }}>'],
    ...rest,
  };
  const headers = { 'svc-idempotency-key': secret };
  const answer = await server.post('/tokens', body, { headers });
  expect(answer.status).toBe(201);
  await server.post('/tokens/search', { query: `data:"<${secret}>"` }, { headers });
  await server.post('/detokenize', `{{ ${answer.body.id} }}`, { headers });
  expect(await onDisk(secret)).toBe(true);
  return answer.body.id;
}

describe('the plaintext of a removed token is in no file of the data directory', () => {
  it('after DELETE', async () => {
    const id = await create('plain-deleted');
    await server.delete(`/tokens/${id}`);
    await gone('plain-deleted');
  });

  it('after an update that replaces it', async () => {
    const id = await create('plain-replaced');
    await server.patch(`/tokens/${id}`, { data: { secret: 'another' } });
    await server.delete(`/tokens/${id}`);
    await gone('plain-replaced');
  });

  it('after it expired and was swept', async () => {
    const { clock } = server.emulator;
    await create('plain-expired', { expires_at: new Date(clock.now() + HOUR).toISOString() });
    await clock.advance(HOUR);
    await gone('plain-expired');
  });

  it('after the cvc was purged, also from indexes, masks and stored responses; the rest of the card stays', async () => {
    const body = {
      type: 'card',
      data: { number: '4242424242424242', cvc: '9357' },
      mask: { cvc: 'cvc={{ data.cvc }}' },
      search_indexes: ['cvc={{ data.cvc }}', '{{ data.number | last4 }}'],
    };
    const { body: card } = await server.post('/tokens', body, { headers: { 'svc-idempotency-key': 'card' } });
    expect(await onDisk('cvc=9357')).toBe(true);
    await server.emulator.clock.advance(HOUR);
    await gone('cvc=9357');
    await gone('"9357"');
    expect((await server.get(`/tokens/${card.id}`)).body.data).toEqual({ number: '4242424242424242' });
  });
});

it('responses with token data are stored in memory only', async () => {
  const { body } = await server.post('/tokens', { type: 'token', data: 'in-memory-only', id: 'memory-1' });
  const headers = { 'svc-idempotency-key': 'memory' };
  const answer = await server.post('/detokenize', `answer: {{ ${body.id} }}`, { headers });
  expect(answer.body).toBe('answer: in-memory-only');
  expect((await server.post('/detokenize', 'something else', { headers })).body).toBe(answer.body);
  expect(await onDisk('answer: in-memory-only')).toBe(false);
});
