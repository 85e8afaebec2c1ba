import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/index.js';
import { TOKEN_TYPE_NAMES, type TokenType } from '../../../src/contract/token-types.js';
import { scratchDir } from '../../support/executable.js';
import { type JsonSchema, type Leaves, ofSchema } from '../../support/json-schema.js';
import { type Answer, type McpClient, startMcp } from '../../support/mcp-client.js';
import { useServer } from '../../support/test-server.js';
import { width } from '../../support/width.js';
import { tokenData, valuesIn } from './token-data.js';

/** Calls of each tool. */
const CALLS = width(4, 100);
/** Tokens of each type. */
const TOKENS = 3;
const CONFIGURATION = 'configuration-value-5522';
/** Of an invocation that throws token data. */
const TRACE_ID = 'trace-of-thrower';
const CODE =
  'module.exports = async ({ args }) => { console.log(args); throw new Error(JSON.stringify(args)); };';

/** Masks that show the data to whoever may read it masked. */
const MASKS: Record<TokenType, unknown> = {
  token: '{{ data }}',
  card: { number: '{{ data.number }}', expiration_month: '{{ data.number }}' },
  bank: '{{ data.account_number }}',
  card_number: { number: '{{ data }}' },
  us_bank_account_number: '{{ data }}',
  us_bank_routing_number: ['{{ data }}'],
  social_security_number: '{{ data | prepend: "X" }}',
  employer_id_number: '{{ data }}',
  document: '{{ data.content }}',
};

const folder = scratchDir();
// Its state file is where the tools that read the state of an emulator look for it.
const server = useServer({ dataDir: join(folder, '.tokenctl') });
/** Keys, ids and token data. */
const secrets: string[] = [];
const ids: string[] = [];
let maskingKey: string;

beforeAll(async () => {
  const { emulator } = server;
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys });
  for (const type of TOKEN_TYPE_NAMES)
    for (const [index, data] of fc.sample(tokenData[type], TOKENS).entries()) {
      const mask = index === 0 ? MASKS[type] : undefined;
      const { id } = await client.call('tokens.create', {
        body: { type, data, search_indexes: ['{{ data }}'], ...(mask !== undefined && { mask }) },
      });
      ids.push(id);
      secrets.push(...valuesIn(data));
    }
  const { key } = await client.call('applications.create', {
    body: {
      name: 'masking',
      type: 'private',
      permissions: ['token:create', 'token:read', 'token:search', 'token:update'],
    },
  });
  maskingKey = key ?? '';
  const reactor = await client.call('reactors.create', {
    body: { name: 'thrower', code: CODE, configuration: { SECRET: CONFIGURATION } },
  });
  ids.push(reactor.id, TRACE_ID);
  await client
    .call('reactors.react', {
      path: { id: reactor.id },
      body: { args: { used: `{{ ${ids[0]} }}` } },
      headers: { 'svc-trace-id': TRACE_ID },
    })
    .catch(() => {});
  secrets.push(CONFIGURATION, maskingKey, ...Object.values(emulator.keys), emulator.controlToken);
  await client.close();
});

function expectNoSecret({ text }: Answer, more: readonly string[] = []): void {
  for (const secret of [...secrets, ...more]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
}

const TRANSFORMS = [
  ['reveal', () => server.emulator.keys.private],
  ['mask', () => maskingKey],
] as const;

/** Starts a server with a key, until the test ends. */
async function startWith(privateKey: string): Promise<McpClient> {
  const env = { TOKENCTL_PRIVATE_KEY: privateKey };
  const mcp = await startMcp(['--allow-write', '--reveal'], { cwd: folder, env });
  onTestFinished(() => mcp.close());
  return mcp;
}

// Before the calls of all tools, after which the emulator may have forgotten the trace, and deleted tokens.
test.each(TRANSFORMS)('no read shows token data to a key with transform %s', async (_, privateKey) => {
  const mcp = await startWith(privateKey());
  for (const id of ids) expectNoSecret(await mcp.call('tokens_get', { id }));
  const list = await mcp.call('tokens_list', { size: 100 });
  expect(list.json.body.data.length).toBeGreaterThanOrEqual(TOKENS * TOKEN_TYPE_NAMES.length);
  expectNoSecret(list);
  expectNoSecret(await mcp.call('tokens_search', { body: { query: 'type:card' } }));
  const trace = await mcp.call('emulator_trace', { trace_id: TRACE_ID });
  expect(trace.json.traces).toMatchObject([{ status: 500, console_lines: 1 }]);
  expect(trace.json.traces[0]).not.toHaveProperty('error');
  expectNoSecret(trace);
});

test.each(TRANSFORMS)('no tool shows data, keys or values, with transform %s', async (_, privateKey) => {
  const mcp = await startWith(privateKey());
  const { tools } = await mcp.tools();
  expect(tools.length).toBeGreaterThan(30);
  const words = [...ids, 'one', 'two-three', '{{ data }}', '{{ data.number | slice: 0, 8 }}', 'type:card'];
  const types = fc.constantFrom(...TOKEN_TYPE_NAMES);
  const token = types.chain((type) => tokenData[type].map((data) => ({ type, data })));
  const leaves: Leaves = {
    text: ({ pattern }) => fc.constantFrom(...(pattern ? ['/', '/pci/high/', '/general/'] : words)),
    number: () => fc.integer({ min: 1, max: 100 }),
    anything: fc.oneof(token, fc.dictionary(fc.constantFrom('a', 'b'), token), fc.constant('{{ data }}')),
    names: fc.constantFrom('note', 'order', 'key'),
  };
  // Tools that delete come last.
  const ordered = [...tools].sort(
    (a, b) => Number(a.annotations?.destructiveHint ?? 0) - Number(b.annotations?.destructiveHint ?? 0),
  );
  for (const { name, inputSchema } of ordered) {
    const generated = ofSchema(inputSchema as JsonSchema, leaves) as fc.Arbitrary<Record<string, unknown>>;
    const body = name === 'tokens_create' ? token.map((one) => ({ body: one })) : generated;
    for (const input of fc.sample(fc.oneof(generated, body), CALLS)) {
      const sent = collectData(input);
      const answer = await mcp.call(name, input);
      expectNoSecret(answer, sent);
      secrets.push(...sent);
    }
  }
  expect(mcp.stderr()).not.toMatch(/Error/);
});

/** Lists the values of token data in the arguments of a call. */
function collectData(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    // Not the expressions, ids and names of types that come from the words.
    name === 'data'
      ? valuesIn(value).filter((text) => /\d{6}/.test(text) && !ids.includes(text))
      : collectData(value),
  );
}
