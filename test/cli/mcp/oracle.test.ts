import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { toFailure } from '../../../src/cli/lib/to-failure.js';
import { operationTools } from '../../../src/cli/mcp/operation-tools.js';
import { callOperation } from '../../../src/cli/mcp/tool-input.js';
import { failureJson } from '../../../src/cli/output/failure.js';
import { createClient } from '../../../src/client/index.js';
import { type McpClient, startMcp } from '../../support/mcp-client.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

/** Calls with each set of tools. */
const CALLS = width(150, 10_000);
/** Calls to one pair of tenants: few enough for a page to hold everything. */
const CALLS_PER_PAIR = 50;

/** The guess is the value of one tenant, and differs from that of the other one where an agent cannot see it. */
const GUESS = '123456789';
const OTHER = '987656789';
const TYPE = 'social_security_number';
const REQUEST = { type: TYPE, data: GUESS };

const emulator = useSharedEmulator();
let mcp: McpClient | undefined;

afterAll(() => mcp?.close());

/** Shows all data to the server of the agent, so that the service hides nothing by itself. */
const RULE = {
  description: 'Reads everything.',
  priority: 1,
  container: '/',
  transform: 'reveal',
  permissions: ['token:create', 'token:read', 'token:search', 'token:update', 'token:delete'],
} as const;

/** Creates a tenant whose application has stored the value, also as an index, and inside other data. */
async function plant(value: string, deduplicate: boolean) {
  const { keys, env } = await emulator.tenant();
  const management = createClient({ baseUrl: emulator.url, apiKey: keys });
  const { key } = await management.call('applications.create', {
    body: { name: 'reader', type: 'private', rules: [{ ...RULE, permissions: [...RULE.permissions] }] },
  });
  await management.close();
  const client = createClient({ baseUrl: emulator.url, apiKey: { ...keys, private: key ?? '' } });
  const settings = { fingerprint_tokens: 'true', deduplicate_tokens: `${deduplicate}` } as const;
  await client.call('tenants.update', { body: { name: 'Shop', settings } });
  const common = { search_indexes: ['{{ data }}'], metadata: { order: '7', note: 'none' } };
  await client.call('tokens.create', { body: { id: 'planted', type: TYPE, data: value, ...common } });
  await client.call('tokens.create', { body: { id: 'plain', type: 'token', data: value, ...common } });
  const data = { ssn: value, name: 'Ann' };
  await client.call('tokens.create', {
    body: { id: 'nested', type: 'token', data, fingerprint_expression: '{{ data.ssn }}' },
  });
  return { client, env };
}

const quoted = `"${GUESS}"`;
const atoms = fc.constantFrom(
  ...[`data:${quoted}`, `d\\ata:${quoted}`, `-data:${quoted}`, `+data:${quoted}`, `!data:${quoted}`],
  ...[`data:(x OR ${quoted})`, `data:((${quoted}))`, 'data:12345\\6789', 'data:123*', 'data:[1 TO 2]'],
  ...[quoted, '12345\\6789', `fingerprint:${quoted}`, 'fingerprint:*', `type:(${TYPE})`],
  ...['metadata.order:7', `metadata.note:${quoted}`, 'container:/pii/high/', '*', '*:*', 'id:plant*'],
);
const { query } = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atoms,
    fc
      .tuple(tie('query'), fc.constantFrom(' AND ', ' OR ', ' ', ' AND NOT ', ' || ', ' && '), tie('query'))
      .map((parts) => parts.join('')),
    tie('query').map((inner) => `(${inner})`),
    tie('query').map((inner) => `NOT ${inner}`),
  ),
}));

const expressions = fc.constantFrom('{{ data }}', '{{ data | slice: 0, 3 }}', GUESS, '{{ planted }}');
const ids = fc.constantFrom('planted', 'plain', 'nested', 'mine', GUESS, '{{ data }}');
const guesses = fc.constantFrom<unknown>(GUESS, { ssn: GUESS }, { ssn: GUESS, name: 'Ann' }, REQUEST, [
  GUESS,
]);
const extras = fc.record(
  {
    id: ids,
    mask: expressions,
    search_indexes: fc.tuple(expressions),
    fingerprint_expression: fc.oneof(expressions, fc.constant('{{ data.ssn }}')),
    deduplicate_token: fc.boolean(),
    metadata: fc.constantFrom({ note: GUESS }, { data: GUESS }, { order: '7' }),
    containers: fc.constant(['/pii/high/']),
  },
  { requiredKeys: [] },
);
const token = fc
  .tuple(fc.constantFrom(TYPE, 'token'), guesses, extras)
  .map(([type, data, rest]) => ({ type, data, ...rest }));
const allowed = fc.record(
  { metadata: fc.constantFrom({ note: GUESS }, { order: '7' }) },
  { requiredKeys: [] },
);
const page = { page: 1, size: 100 };

type Call = [tool: string, input: Record<string, unknown>];
const call = (tool: string, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Call> =>
  input.map((value) => [tool, value]);

const READS = [
  call(
    'tokens_search',
    query.map((text) => ({ body: { query: text, ...page } })),
  ),
  call(
    'tokens_searchByCursor',
    query.map((text) => ({ body: { query: text, size: 100 } })),
  ),
  call(
    'tokens_list',
    fc.constantFrom({ ...page }, { ...page, metadata: { note: GUESS } }, { ...page, type: TYPE }),
  ),
  call('tokens_listByCursor', fc.constantFrom({ size: 100 }, { size: 100, fingerprint: GUESS })),
  call(
    'tokens_get',
    ids.map((id) => ({ id })),
  ),
  // By operation, for a page to hold all: of entries of one millisecond, which is on the next page is chance.
  call(
    'logs_list',
    fc
      .constantFrom('create', 'update', 'list')
      .map((operation) => ({ ...page, entity_type: 'token', operation })),
  ),
  call('tenants_usage', fc.constant({})),
];
const WRITES = [
  call(
    'tokens_create',
    fc
      .oneof(
        token,
        allowed.map((rest) => ({ ...REQUEST, ...rest })),
      )
      .map((body) => ({ body })),
  ),
  call(
    'tokens_update',
    fc.tuple(ids, extras).map(([id, { id: _, ...body }]) => ({ id, body })),
  ),
  call(
    'tokens_update',
    fc.tuple(ids, guesses, allowed).map(([id, data, rest]) => ({ id, body: { data, ...rest } })),
  ),
  call('tokens_delete', fc.constant({ id: 'mine' })),
  call(
    'tenants_update',
    fc.boolean().map((on) => ({ body: { name: 'Shop', settings: { deduplicate_tokens: String(on) } } })),
  ),
];

/** What an agent looks at after its guesses. */
const LAST: Call[] = [
  ['tokens_list', page],
  ['logs_list', { ...page, entity_type: 'token', operation: 'update' }],
];

/** The guesses that told most: as an existing value, as metadata that is hidden if it is data, as an update that changes nothing. */
const FIRST: Call[] = [
  ['tokens_create', { body: REQUEST }],
  ['tokens_update', { id: 'plain', body: { metadata: { note: GUESS } } }],
  ...LAST,
  ['tokens_update', { id: 'planted', body: { data: GUESS } }],
  ['tokens_update', { id: 'nested', body: { data: { ssn: GUESS } } }],
  ...LAST,
];

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

/** Replaces what differs between any two tenants. */
function normalize(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(UUID, '<uuid>').replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, '<time>');
  if (typeof value !== 'object' || value === null) return value;
  // Tokens that were created at the same time are ordered by id.
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(normalize(item))).sort();
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'next' ? '<cursor>' : normalize(part)]),
  );
}

type Tenant = Awaited<ReturnType<typeof plant>>;

/** Makes a call as the server of an agent does, and returns what the agent can compare. */
async function answer({ client }: Tenant, tools: ReturnType<typeof operationTools>, [name, input]: Call) {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  try {
    return normalize(await callOperation(client, tool, input));
  } catch (error) {
    return normalize(JSON.parse(failureJson(toFailure(error))));
  }
}

test.each([
  ['read-only', false],
  ['with --allow-write', true],
])('no answer tells whether a guess of a planted value is right: %s', async (_, allowWrite) => {
  const tools = operationTools(allowWrite);
  const calls = fc.sample(fc.oneof(...READS, ...(allowWrite ? WRITES : [])), CALLS);
  for (let first = 0; first < calls.length; first += CALLS_PER_PAIR) {
    const deduplicate = (first / CALLS_PER_PAIR) % 2 === 1;
    const [right, wrong] = [await plant(GUESS, deduplicate), await plant(OTHER, deduplicate)];
    // Every other pair starts with what the other calls would take long to find.
    const start = allowWrite && (first / CALLS_PER_PAIR) % 4 < 2 ? FIRST : [];
    for (const one of [...start, ...calls.slice(first, first + CALLS_PER_PAIR), ...LAST]) {
      const answers = [await answer(right, tools, one), await answer(wrong, tools, one)];
      expect(answers[0], JSON.stringify(one)).toEqual(answers[1]);
    }
    await Promise.all([right.client.close(), wrong.client.close()]);
  }
});

test('a search by data is refused with the fields that an agent may search, however it is written', async () => {
  const { env, client } = await plant(GUESS, false);
  mcp = await startMcp([], { cwd: process.cwd(), env });
  const queries = [
    `data:${quoted}`,
    `data:(a OR ${quoted})`,
    `NOT (type:card OR d\\ata:${quoted})`,
    quoted,
    'fingerprint:a',
  ];
  for (const text of queries) {
    const { isError, json } = await mcp.call('tokens_search', { body: { query: text } });
    expect([text, isError, json.error?.errors?.['body.query']?.[0]]).toEqual([
      text,
      true,
      expect.stringContaining('an agent cannot search by data or fingerprint'),
    ]);
  }
  const { json } = await mcp.call('tokens_search', { body: { query: '* AND NOT (id:plain OR id:nest*)' } });
  expect(json.body.data).toMatchObject([{ id: 'planted', data: 'XXXXX6789' }]);
  for (const property of ['fingerprint', 'search_indexes', 'fingerprint_expression'])
    expect(json.body.data[0]).not.toHaveProperty(property);
  await client.close();
});
