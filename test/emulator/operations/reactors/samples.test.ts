import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mismatches } from '../../../../src/cli/reactors/test/match.js';
import type { ReactorTestCase, ReactorTestFile } from '../../../../src/cli/reactors/test/test-file.js';
import { type PaymentProcessor, startPaymentProcessor } from '../../../support/payment-processor.js';
import { useServer } from '../../support/server.js';
import { deployedCode, type PlainOutcome, readSample, runInNode } from './samples.js';
import { createApplication, createReactor } from './support.js';

const server = useServer({ rateLimit: false });
let processor: PaymentProcessor;

beforeAll(async () => {
  processor = await startPaymentProcessor();
});
afterAll(() => processor.close());

/** In the order in which they need one another. */
const FILES = [
  'charge-card.js',
  'risk-score.mjs',
  'score-and-charge.js',
  'refund-charge.js',
  'verify-webhook.js',
  'nacha-file.js',
  'pain001.js',
  'retokenize-emails.js',
  'settlement-date.ts',
];
const nameOf = (file: string) => file.replace(/\.\w+$/, '');
const samples = await Promise.all(
  FILES.map(async (file) => ({ file, sample: await readSample(nameOf(file)) })),
);
/** Id of each sample's reactor, by its name. */
const ids: Record<string, string> = {};

/** Addresses and ids are known only now. */
function settled(configuration: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(configuration).map(([key, value]) => [
      key,
      value
        .replace('http://127.0.0.1:12111', processor.url)
        .replace(/^\{([\w-]+)\}$/, (_match, name: string) => ids[name] ?? ''),
    ]),
  );
}

interface Deployed {
  id: string;
  configuration: Record<string, string>;
  key?: string;
}

async function deploy(
  file: string,
  { configuration = {}, application, tokens = [] }: ReactorTestFile,
): Promise<Deployed> {
  for (const token of tokens) await server.token(token);
  const owner = application && (await createApplication(server, application));
  const own = settled(configuration);
  const id = await createReactor(server, await deployedCode(file), {
    name: nameOf(file),
    configuration: own,
    ...(owner && { application: { id: owner.id } }),
  });
  ids[nameOf(file)] = id;
  return { id, configuration: own, ...(owner && { key: owner.key }) };
}

interface HttpAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  body: any;
}

/** Not through the contract's check: a reactor may answer in words of its own. */
async function invoke(
  { id, configuration }: Deployed,
  { args, ...wanted }: ReactorTestCase,
): Promise<HttpAnswer> {
  const configure = (values: Record<string, string>) =>
    server.patch(`/reactors/${id}`, { configuration: values }, { as: 'management' });
  if (wanted.configuration) await configure(settled(wanted.configuration));
  const response = await fetch(`${server.emulator.url}/reactors/${id}/react`, {
    method: 'POST',
    headers: { 'SVC-API-KEY': server.emulator.keys.private, 'content-type': 'application/json' },
    body: JSON.stringify({ args }),
  });
  if (wanted.configuration) await configure(configuration);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function expectCase({ result, error }: ReactorTestCase, { status, body }: HttpAnswer): void {
  const shown = JSON.stringify(body);
  expect(status, shown).toBe(error?.status ?? 200);
  if (result) expect(mismatches(result, body, { partly: true })).toEqual([]);
  if (error?.title) expect(body.title).toBe(error.title);
  if (error?.errors) expect(body.errors).toEqual(error.errors);
}

/** The same case in plain Node.js, with the arguments as the service detokenizes them. */
async function inNode(
  file: string,
  { configuration, key }: Deployed,
  { args, configuration: extra }: ReactorTestCase,
): Promise<PlainOutcome> {
  const detokenized = await server.post('/detokenize', args);
  return runInNode(file, {
    args: detokenized.body,
    configuration: { ...configuration, ...settled(extra ?? {}) },
    service: key === undefined ? null : { baseUrl: server.emulator.url, key },
  });
}

/** Ids, times and fingerprints differ from token to token. */
function normalized(value: unknown): unknown {
  const text = JSON.stringify(value ?? null)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>');
  return JSON.parse(text);
}

async function expectSame(plain: PlainOutcome, { status, body }: HttpAnswer, key?: string): Promise<void> {
  if (plain.threw) return expectSameError(plain.threw, { status, body });
  const { raw, tokenize } = plain.returned ?? {};
  const tokens =
    tokenize && (await server.post('/tokenize', tokenize, key === undefined ? {} : { key })).body;
  const expected = { ...(raw !== undefined && { raw }), ...(tokens && { tokens }) };
  expect(normalized(body)).toEqual(normalized(expected));
}

/** A message of the engine's own is its own business; the class of the error and its place are not. */
function expectSameError(
  { name, status: wanted, message, errors, body: own, line }: NonNullable<PlainOutcome['threw']>,
  { status, body }: Pick<HttpAnswer, 'status' | 'body'>,
): void {
  expect(status).toBe(wanted ?? 500);
  if (own) expect(body).toEqual(own);
  else if (wanted !== undefined) expect(body.errors).toEqual(errors ?? { error: [message] });
  else {
    expect(body.detail).toMatch(new RegExp(`^${name}: `));
    expect(body.detail).toContain(`reactor.js:${line}:`);
  }
}

describe.each(samples)('$file', ({ file, sample }) => {
  let deployed: Deployed;
  beforeAll(async () => {
    deployed = await deploy(file, sample);
  });

  it.each(sample.cases)('$name', async (wanted) => {
    const answer = await invoke(deployed, wanted);
    expectCase(wanted, answer);
    const { key } = deployed;
    await expectSame(await inNode(file, deployed, wanted), answer, key);
  });
});

describe('what the samples did', () => {
  it("an error of the vendor's was passed on in its own words, header included", async () => {
    const refund = { id: ids['refund-charge'] ?? '', configuration: {} };
    const answer = await invoke(refund, { name: 'unknown', args: { charge_id: 'pi_unknown' } });
    expect([answer.status, answer.headers.get('x-vendor-request')]).toEqual([404, 'req_stub']);
    expect(answer.body).toEqual({
      vendor: 'processor',
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_unknown'",
    });
  });

  it('each order was charged once, however often it ran', () => {
    const charged = processor.requests.filter(({ path }) => path === '/v1/payment_intents');
    const orders = new Set(charged.map(({ idempotencyKey }) => idempotencyKey));
    expect(orders).toContain('order-A-1');
    expect(charged[0]?.body).toMatchObject({
      'payment_method_data[card][number]': '4242424242424242',
      confirm: 'true',
    });
  });

  it('the NACHA file has records of 94 characters and the hash of its routing numbers', async () => {
    const { cases } = await readSample('nacha-file');
    const answer = await invoke(
      { id: ids['nacha-file'] ?? '', configuration: {} },
      cases[0] as ReactorTestCase,
    );
    const { body } = await server.post('/detokenize', { file: `{{ ${answer.body.tokens.file.id} }}` });
    const records: string[] = body.file.trimEnd().split('\n');
    expect(records.every((record) => record.length === 94)).toBe(true);
    expect(records.map((record) => record[0]).join('')).toBe('1566689999');
    expect(records[2]?.slice(12, 29)).toBe('000123456789     ');
    expect(records[5]?.slice(10, 20)).toBe(answer.body.raw.hash);
  });
});
