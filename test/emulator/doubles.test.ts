import { expect, test } from 'vitest';
import type * as processors from '../../emulator/doubles/index.js';
import { createClient } from '../../src/client/index.js';
import { startEmulator } from '../support/emulator.js';
import { EXECUTABLE, projectDir, requireOfPackage, tokenctl } from '../support/executable.js';

const { CARDS, createProcessor, startProcessor } = requireOfPackage(
  'tokenctl/processor',
) as typeof processors;

const request = (path: string, body?: Record<string, unknown>, headers = {}, method = 'POST') => ({
  ...{ method, path, headers, body, text: JSON.stringify(body) ?? '', query: {}, bytes: new Uint8Array() },
  ...{ host: 'processor.example', url: `https://processor.example${path}` },
});

test.each([
  ['charged', undefined, 'succeeded'],
  ['declined', 402, 'card_declined'],
  ['insufficient_funds', 402, 'card_declined'],
  ['expired', 402, 'expired_card'],
  ['incorrect_cvc', 402, 'incorrect_cvc'],
  ['processing_error', 402, 'processing_error'],
  ['authentication_required', 402, 'authentication_required'],
  ['duplicate', 409, 'duplicate_transaction'],
] as const)('the double of a processor answers the card %s', (card, status, code) => {
  const processor = createProcessor();
  const answer = processor.respond(request('/v1/charges', { card: { number: CARDS[card] }, amount: 5 }));
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toContain(`"${code}"`);
  expect(processor.charges).toHaveLength(status === undefined ? 1 : 0);
});

test('the double of a processor keeps what it made, once for an idempotency key, and refunds it', () => {
  const processor = createProcessor();
  const charge = () =>
    processor.respond(
      request(
        '/charges',
        { number: '4242 4242 4242 4242', amount: '5', currency: 'usd' },
        { 'idempotency-key': 'a' },
      ),
    );
  expect(charge()).toEqual(charge());
  const [made] = processor.charges;
  expect(made).toEqual({
    id: 'ch_1',
    object: 'charge',
    status: 'succeeded',
    amount: 5,
    currency: 'usd',
    last4: '4242',
  });
  expect(processor.charges).toHaveLength(1);
  expect(processor.respond(request('/charges/ch_1', undefined, {}, 'GET')).body).toEqual(made);
  expect(processor.respond(request('/refunds', { charge: 'ch_1', amount: 5 })).body).toMatchObject({
    id: 're_1',
    charge: 'ch_1',
  });
  expect(processor.respond(request('/charges', { amount: 5 }))).toMatchObject({ status: 400 });
  expect(processor.respond(request('/other', {}))).toMatchObject({ status: 404 });
});

test('the double of a processor is a server, which does not answer the card timeout', async () => {
  const { url, close } = await startProcessor();
  const send = (number: string, signal?: AbortSignal) =>
    fetch(`${url}/charges`, {
      method: 'POST',
      body: new URLSearchParams({ 'card[number]': number }),
      ...(signal && { signal }),
    });
  expect(await (await send(CARDS.charged)).json()).toMatchObject({ id: 'ch_1', last4: '4242' });
  await expect(send(CARDS.timeout, AbortSignal.timeout(200))).rejects.toThrow('timeout');
  await close();
});

const CODE = `module.exports = async () => {
  const response = await fetch('https://api.pay.example/charges', { method: 'POST', body: '{"number":"4242424242424242"}' });
  return { raw: await response.json() };
};`;

test('an emulator answers with the double of a processor in place of a host', async () => {
  const emulator = await startEmulator({ port: 0, withProcessor: 'api.pay.example' });
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys });
  const { id } = await client.call('reactors.create', { body: { name: 'a', code: CODE, configuration: {} } });
  expect(await client.call('reactors.react', { path: { id }, body: {} })).toMatchObject({
    raw: { id: 'ch_1' },
  });
  await client.close();
  await emulator.close();
});

test('emulator exec starts it with --with-processor, whose host must be one', async () => {
  const cwd = await projectDir({ 'pay.cjs': CODE.replace('api.pay.example', 'processor.example') });
  const command = 'emulator exec --with-processor --no-rate-limit -- sh -c';
  const steps =
    '"$TOKENCTL" reactor deploy pay.cjs --allow-secrets --yes && "$TOKENCTL" reactor react pay --jq .raw.id';
  const ran = await tokenctl([...command.split(' '), steps.replaceAll('"$TOKENCTL"', `node ${EXECUTABLE}`)], {
    cwd,
  });
  expect(ran.stdout).toContain('ch_1');
  expect(await tokenctl('emulator exec --with-processor https://a -- true', { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--with-processor must be a host, such as api.example.com'),
  });
});
