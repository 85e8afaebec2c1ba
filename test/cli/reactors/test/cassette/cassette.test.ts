import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { projectDir, type Ran, scratchDir, tokenctl } from '../../../../support/executable.js';
import { listen, useHttpServer } from '../../../../support/http-server.js';

const CARD = '4242424242424242';
const OTHER_CARD = '5555555555554444';
const KEY = 'key-of-the-processor';
const NOTE = 'a "note" with <signs> & ümlauts';

/** Sends the card in every form, and returns what it gets. */
const CODE = `
module.exports = async ({ args, configuration }) => {
  const { card, note, amount } = args;
  const spaced = card.number.replace(/(....)(?!$)/g, '$1 ');
  const post = (path, type, body) => fetch(configuration.URL + path, {
    method: 'POST', headers: { 'content-type': type, authorization: 'Bearer ' + configuration.KEY }, body,
  });
  const json = await post('/charges?card=' + card.number + '&cvc=' + card.cvc, 'application/json', JSON.stringify({
    amount, card, spaced, note, basic: Buffer.from('user:' + card.number).toString('base64'),
    hex: Buffer.from(card.number).toString('hex'), nested: JSON.stringify({ note }), key: configuration.KEY,
  }));
  const form = await post('/form', 'application/x-www-form-urlencoded', new URLSearchParams({ note, cvc: card.cvc }).toString());
  const cvc = card.cvc;
  const bodies = ['card[cvc]=' + cvc, 'card%5Bcvc%5D=' + cvc, '<card><c:securityCode a="1">' + cvc + '</c:securityCode><x CVV2="' + cvc + '"/></card>',
    '--b\\r\\nContent-Disposition: form-data; name="card_cvc"\\r\\n\\r\\n' + cvc + '\\r\\n--b--', 'X-Card-CVC: ' + cvc, 'level=info cvc=' + cvc,
    JSON.stringify({ nested: JSON.stringify({ cardCvc: cvc }), list: [['cvc', cvc]], fields: [{ name: 'cvc', value: cvc }] }),
    Buffer.from('user:1,cvc=' + cvc).toString('base64')];
  await post('/short', 'text/plain', bodies.join('\\n'));
  await post('/pairs', 'application/json', bodies[6]);
  const text = await require('node-fetch')(configuration.URL + '/compressed', {
    method: 'POST', headers: { 'content-type': 'text/plain' }, body: encodeURIComponent(note) + ' ' + spaced,
  });
  return { raw: { json: await json.json(), form: await form.text(), text: await text.text() } };
};`;

let calls = 0;
/** Returns every body, with what it could tell of the request. */
const processor = useHttpServer(async (request, response) => {
  calls += 1;
  const body = await buffer(request);
  const isCompressed = request.url === '/compressed';
  response.writeHead(200, {
    'content-type': request.headers['content-type'],
    'set-cookie': 'session=1',
    'x-request': request.url,
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    'x-card-cvc': '737',
  });
  response.end(isCompressed ? gzipSync(body) : body);
});

let folder = scratchDir({ 'charge.js': CODE });
/** What one run with --record printed, and wrote. */
let recording: Ran & { calls: number; cassette: string };

beforeAll(async () => {
  await writeTests({});
  const ran = await run('--record');
  recording = { ...ran, calls, cassette: await readCassette() };
});
beforeEach(async () => {
  folder = await projectDir({ 'charge.js': CODE });
  await writeTests({});
  calls = 0;
});

interface Setup {
  number?: string;
  amount?: number;
  base?: string;
  name?: string;
}

async function writeTests({ number = CARD, amount = 5, base = processor.url, name = 'charges' }: Setup) {
  const card = { number, expiration_month: 12, expiration_year: 2031, cvc: '737' };
  await writeFile(
    join(folder, 'charge.test.json'),
    JSON.stringify({
      configuration: { URL: base, KEY },
      tokens: [
        { id: 'card', type: 'card', data: card },
        { id: 'note', type: 'token', data: NOTE },
      ],
      cases: [
        {
          name,
          args: { card: '{{ card }}', note: '{{ note }}', amount },
          result: { raw: { json: { amount, card: { number }, note: NOTE } } },
        },
      ],
    }),
  );
}

const run = (...flags: string[]) => tokenctl(['reactor', 'test', 'charge.js', ...flags], { cwd: folder });
const readCassette = () => readFile(join(folder, 'charge.cassette.json'), 'utf8');
const useRecording = () => writeFile(join(folder, 'charge.cassette.json'), recording.cassette);

describe('reactor test --record', () => {
  test('writes a cassette in which no form of a token value or configuration value is', () => {
    const { code, stderr, cassette: text } = recording;
    expect({ code, stderr, calls: recording.calls }).toEqual({
      code: 0,
      stderr: 'Recorded 5 outbound calls in charge.cassette.json.\n',
      calls: 5,
    });
    const values = [CARD, NOTE, KEY, processor.url];
    const forms = values.flatMap((value) => [
      value,
      value.replace(/(\d{4})(?!$)/g, '$1 '),
      encodeURIComponent(value),
      new URLSearchParams({ '': value }).toString().slice(1),
      JSON.stringify(value).slice(1, -1),
      JSON.stringify(JSON.stringify(value)).slice(3, -3),
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('base64').slice(0, -4),
      Buffer.from(`user:${value}`).toString('base64').slice(8, -4),
    ]);
    for (const form of forms) expect(text).not.toContain(form);
    expect(text).not.toMatch(/737|2031|session=1|Bearer/);
    expect(text).not.toContain(Buffer.from('user:1,cvc=737').toString('base64'));
    expect(text).toContain('"number": "{{token.card.number}}"');
    expect(text).toContain('"expiration_month": "{{token.card.expiration_month|number}}"');
    expect(text).toContain(
      '"url": "{{configuration.URL}}/charges?card={{token.card.number}}&cvc={{token.card.cvc}}"',
    );
  });

  test('a later run is answered from it, without the network, and with the same result', async () => {
    await useRecording();
    const ran = await run();
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.json.summary).toEqual(JSON.parse(recording.stdout).summary);
    expect(ran.json.summary).toEqual({ passed: 1, failed: 0 });
    expect(calls).toBe(0);
  });

  test('the placeholders have the values of the test: another card and another address', async () => {
    await useRecording();
    await writeTests({ number: OTHER_CARD, base: 'https://processor.example/v1' });
    const { code, stdout } = await run();
    expect({ code, summary: JSON.parse(stdout).summary }).toEqual({
      code: 0,
      summary: { passed: 1, failed: 0 },
    });
  });

  test('a call that was not recorded is an error that shows the nearest one and where it differs', async () => {
    await useRecording();
    await writeTests({ amount: 6 });
    const { code, stdout } = await run();
    expect(code).toBe(1);
    const [mismatch] = JSON.parse(stdout).reactors[0].cases[0].mismatches;
    expect(mismatch).toMatchObject({
      path: 'outbound call',
      expected: expect.stringContaining('where body.amount is 6, recorded 5'),
      actual: expect.stringContaining('POST {{configuration.URL}}/charges'),
    });
    expect(stdout).not.toContain(CARD);
  });

  test('a case without a recording says so', async () => {
    await useRecording();
    await writeTests({ name: 'another case' });
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(stdout).toContain('no call was recorded for this case; record again with --record'.split(';')[0]);
  });

  test('recording again replaces the cassette, and removes it when no call is made', async () => {
    await useRecording();
    await writeFile(join(folder, 'charge.js'), 'module.exports = async () => ({});');
    await run('--record');
    await expect(readCassette()).rejects.toThrow('ENOENT');
  });

  test('a cassette that is not valid is a usage error that says how to record it', async () => {
    await writeFile(join(folder, 'charge.cassette.json'), '{"version":2}');
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(stdout).toContain('charge.cassette.json is not a valid cassette');
  });
});

/** An SDK that is built on Node.js runs in runtime node, whose requests leave the worker by themselves. */
const SDK_CODE = `
module.exports = async ({ args, configuration: { PORT } }) => {
  const stripe = require('stripe')('sk_test', { protocol: 'http', host: '127.0.0.1', port: PORT, maxNetworkRetries: 0 });
  const { metadata } = await stripe.charges.create({ amount: 5, currency: 'usd', metadata: { number: args.number } });
  return { raw: { metadata } };
};`;

test('the calls of an SDK in runtime node are recorded and replayed', async () => {
  const sdk = await listen(
    createServer(async (request, response) => {
      calls += 1;
      const form = new URLSearchParams((await buffer(request)).toString());
      const metadata = { number: form.get('metadata[number]') };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: 'ch_1', metadata }));
    }),
  );
  const configuration = { PORT: sdk.host.split(':')[1] };
  const tokens = [{ id: 'card', type: 'token', data: CARD }];
  const cases = [
    { name: 'charges', args: { number: '{{ card }}' }, result: { raw: { metadata: { number: CARD } } } },
  ];
  await writeFile(join(folder, 'pay.cjs'), SDK_CODE);
  await writeFile(join(folder, 'pay.test.json'), JSON.stringify({ configuration, tokens, cases }));
  await symlink(
    fileURLToPath(new URL('../../../../../node_modules', import.meta.url)),
    join(folder, 'node_modules'),
  );
  const pay = (...flags: string[]) =>
    tokenctl(['reactor', 'test', 'pay.cjs', '--external', 'stripe', '--jq', '.summary', ...flags], {
      cwd: folder,
    });
  expect(JSON.parse((await pay('--record')).stdout)).toEqual({ passed: 1, failed: 0 });
  expect(calls).toBe(1);
  await sdk.end();
  expect(await readFile(join(folder, 'pay.cassette.json'), 'utf8')).not.toContain(CARD);
  expect(JSON.parse((await pay()).stdout)).toEqual({ passed: 1, failed: 0 });
  expect(calls).toBe(1);
});
