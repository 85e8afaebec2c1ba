import { expect, it } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer();

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

const createMaskingKey = () => server.application({ permissions: ['token:read'] });

it('a token that was read shows what a patch changed, in its data and its mask', async () => {
  const key = await createMaskingKey();
  const { id } = await server.token({ type: 'card', data: CARD });
  const read = async () => (await server.get(`/tokens/${id}`, { key })).body.data;
  expect(await read()).toEqual({ number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 });
  await server.patch(`/tokens/${id}`, { data: { expiration_month: 1 } });
  expect(await read()).toEqual({ number: 'XXXXXXXXXXXX4242', expiration_month: 1, expiration_year: 2030 });
  await server.patch(`/tokens/${id}`, { mask: '{{ data.number | last4 }}' });
  expect(await read()).toBe('4242');
});

it('a mask whose value changes is evaluated on every read', async () => {
  const key = await createMaskingKey();
  const mask = '{{ data | alias_preserve_format }}';
  const { id } = await server.token({ type: 'card_number', data: CARD.number, mask });
  const values = new Set<string>();
  for (let read = 0; read < 5; read += 1) values.add((await server.get(`/tokens/${id}`, { key })).body.data);
  expect(values.size).toBeGreaterThan(1);
});
