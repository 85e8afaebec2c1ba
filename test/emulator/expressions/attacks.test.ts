import { describe, expect, test } from 'vitest';
import { useServer } from '../../support/test-server.js';
import { sampled } from '../../support/width.js';
import { ATTACKS } from './attacks.js';

/** Messages of an answer are short and say nothing of the data. */
const MAX_ERRORS_LENGTH = 4_000;

describe('hostile expressions', () => {
  const server = useServer({ memory: true });

  test.each(sampled(ATTACKS, 9))('$name', async ({ prepare, status }) => {
    const { id } = await server.token({ type: 'token', data: 'small' });
    const { method = 'POST', path, body, key } = await prepare(server);
    const attack = server.call(method, path, { ...(body !== undefined && { body }), ...(key && { key }) });
    const bystander = server.get(`/tokens/${id}`);
    expect((await bystander).status).toBe(200);
    const answer = await attack;
    // On a slow machine, an evaluation that ends in time elsewhere may exceed its second.
    expect(status === 400 ? [400] : [status, 400]).toContain(answer.status);
    if (answer.status === 400) expect(answer.body.errors).toEqual(expect.any(Object));
    if (answer.status === 400) expect(JSON.stringify(answer.body).length).toBeLessThan(MAX_ERRORS_LENGTH);
  });

  test('another request is answered while an expression runs', async () => {
    const { id } = await server.token({ type: 'token', data: 'small' });
    const answered: string[] = [];
    const attack = server
      .post('/tokens', {
        type: 'token',
        data: Array.from({ length: 10_000 }, (_, index) => index),
        mask: '{{ data | where_exp: "i", "data contains i" | size }}',
      })
      .then(({ status }) => answered.push(`attack ${status}`));
    for (let i = 0; i < 3; i++) {
      await server.get(`/tokens/${id}`);
      answered.push('bystander');
    }
    await attack;
    expect(answered).toEqual(['bystander', 'bystander', 'bystander', 'attack 400']);
  });
});
