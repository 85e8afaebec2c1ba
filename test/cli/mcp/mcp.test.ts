import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { OPERATION_IDS, operationRow } from '../../../src/contract/operations.js';
import { call } from '../../support/call.js';
import { startEmulator } from '../../support/emulator.js';
import { EXECUTABLE, projectDir, type RunOptions, scratchDir, tokenctl } from '../../support/executable.js';
import { type McpClient, startMcp } from '../../support/mcp-client.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { openTerminal } from '../../support/terminal.js';

const folder = scratchDir();
const emulator = useSharedEmulator();
let env: Record<string, string>;
/** A server that may write. */
let writing: McpClient;

beforeAll(async () => {
  ({ env } = await emulator.tenant());
  writing = await startMcp(['--allow-write'], { cwd: folder, env });
});
afterAll(() => writing.close());

/** Starts a server until the test ends. */
async function start(args: readonly string[] = [], options: RunOptions = { cwd: folder, env }) {
  const mcp = await startMcp(args, options);
  onTestFinished(() => mcp.close());
  return mcp;
}

const WITHHELD = [
  ...['applications.regenerate', 'applications.keys.create', 'tenants.delete', 'tokenize'],
  ...['tokenIntents.create', 'tokenIntents.get', 'sessions.create', 'sessions.authorize'],
  ...['documents.upload', 'documents.get', 'documents.download', 'documents.delete'],
  ...['enrichments.cardDetails', 'applicationTemplates.list', 'applicationTemplates.get'],
];
const READING = ['tokens.search', 'tokens.searchByCursor'];

/** What a client sends first. */
const INITIALIZE = [
  {
    id: 'initialize',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { method: 'notifications/initialized' },
].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));

test('every operation is a tool, but for those that use token data, return keys, delete the tenant or take any document', async () => {
  const { tools } = await writing.tools();
  const names = tools.map(({ name }) => name).filter((name) => !/^emulator_|^tool_schema$/.test(name));
  const offered = OPERATION_IDS.filter(
    (id) => operationRow(id).permission !== 'token:use' && !WITHHELD.includes(id),
  );
  expect(names).toEqual(offered.map((id) => id.replaceAll('.', '_')));
});

test('without --allow-write, tools only read, and their list has at most 8 KB', async () => {
  const client = await start();
  const { tools } = await client.tools();
  const names = tools.map(({ name }) => name).filter((name) => !name.startsWith('emulator_'));
  const reading = OPERATION_IDS.filter(
    (id) =>
      (operationRow(id).method === 'GET' || READING.includes(id)) &&
      operationRow(id).permission !== 'token:use' &&
      !WITHHELD.includes(id),
  );
  expect(names).toEqual(reading.map((id) => id.replaceAll('.', '_')));
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  // An agent reads all of them before its first call.
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(8_192);
  await expect(client.call('tokens_create', { body: { type: 'token', data: 1 } })).rejects.toThrow(
    '--allow-write',
  );
});

test('the list of the tools that write has at most 16 KB, and one of them shows what it leaves out', async () => {
  const { tools } = await writing.tools();
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(16_384);
  const bodyOf = (name: string) => {
    const { inputSchema } = tools.find((tool) => tool.name === name) ?? {};
    return (inputSchema?.properties as Record<string, unknown> | undefined)?.body;
  };
  expect(bodyOf('applications_create')).toMatchObject({
    properties: {
      type: { enum: ['public', 'private', 'management'] },
      permissions: { items: { description: 'see permissions_list' } },
      rules: { type: 'array', description: 'see tool_schema' },
    },
    required: ['name', 'type'],
  });
  expect(bodyOf('webhooks_replace')).toEqual({
    type: 'object',
    properties: { status: { type: 'string', const: 'enabled' } },
    description: 'as in webhooks_create',
  });
  expect(bodyOf('applications_update')).toMatchObject({
    description: 'name, permissions, rules as in applications_create',
  });
  const { json } = await writing.call('tool_schema', { tool: 'applications_create' });
  expect(json.properties.rules.items.properties.transform.enum).toContain('mask');
  expect((await writing.call('tool_schema', { tool: 'tokens_get' })).json.error.category).toBe('usage');
});

test('arguments are checked by the schemas of the contract, and an error names the property', async () => {
  const { isError, json } = await writing.call('tokens_list', { size: 1000, colour: 'red' });
  expect(isError).toBe(true);
  expect(json.error).toMatchObject({
    category: 'invalid',
    errors: { colour: [expect.stringContaining('is not a known property. Known: ')] },
  });
  const body = await writing.call('tokens_create', { body: { type: 'card', data: { number: '42' }, x: 1 } });
  expect(body.json.error.errors).toMatchObject({
    'body.x': [expect.stringContaining('is not a known property')],
  });
});

test('an update cannot change what is derived from the data', async () => {
  await writing.call('tokens_create', { body: { id: 'derived', type: 'token', data: 'secret note' } });
  for (const body of [
    { mask: '{{ data }}' },
    { search_indexes: ['{{ data }}'] },
    { fingerprint_expression: 'x' },
  ]) {
    const { isError, json } = await writing.call('tokens_update', { id: 'derived', body });
    expect(isError).toBe(true);
    expect(json.error.category).toBe('invalid');
  }
  const { json } = await writing.call('tokens_update', { id: 'derived', body: { metadata: { order: '7' } } });
  expect(json).toMatchObject({ status: 200, body: { metadata: { order: '7' } } });
});

test('a card is shown with its last four digits and expiration, a hidden value cannot be sent back', async () => {
  const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };
  const { json } = await writing.call('tokens_create', { body: { type: 'card', data } });
  expect(json.body.data).toEqual({ number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2031 });
  const back = await writing.call('tokens_update', { id: json.body.id, body: { data: '[hidden]' } });
  expect(back.json.error.errors).toEqual({ 'body.data': ['must be the real value, or omitted'] });
});

test('data that a call knows is removed from its whole answer', async () => {
  const metadata = { note: 'paid with 4242424242424242' };
  const body = { type: 'card', data: { number: '4242424242424242' }, metadata };
  const { json } = await writing.call('tokens_create', { body });
  expect(json.body.metadata).toEqual({ note: 'paid with [hidden]' });
  const read = await writing.call('tokens_get', { id: json.body.id });
  expect(read.json.body.metadata).toEqual({ note: 'paid with [hidden]' });
});

test('the emulator tools show the requests of the application without what it put into their paths', async () => {
  const emulatorFolder = await projectDir({});
  const own = await startEmulator({ port: 0, dataDir: join(emulatorFolder, '.tokenctl') });
  const mcp = await start([], { cwd: emulatorFolder });
  for (const path of ['/tokens/4242424242424242', '/4242424242424242']) await call(own, 'GET', path);
  const { text, json } = await mcp.call('emulator_requests');
  expect(text).not.toContain('4242424242');
  expect(json.requests).toMatchObject([
    { operation: 'tokens.get', path: '/tokens/{id}', status: 404 },
    { status: 404 },
  ]);
  expect((await mcp.call('emulator_clock')).json).toMatchObject({ frozen: false });
  expect((await mcp.call('emulator_trace', { trace_id: 'none' })).json.error.category).toBe('not_found');

  const id = '4111111111111111';
  const body = { id, type: 'token', data: 'x', containers: ['/a/'] };
  await call(own, 'POST', '/tokens', { body });
  const refused = await call(own, 'GET', `/tokens/${id}`, { as: 'public' });
  const explained = await mcp.call('emulator_explain', { trace_id: refused.headers.get('svc-trace-id') });
  expect(explained.json).toMatchObject({
    requests: [{ operation: 'tokens.get', status: 403 }],
    calls: [{ application: { type: 'public' }, decisions: [{ permission: 'token:read', granted: false }] }],
  });
  await call(own, 'DELETE', `/tokens/${id}`);
  expect(explained.text).not.toContain(id);
  expect((await mcp.call('emulator_explain', {})).isError).toBe(true);
  await own.close();
});

test('the server starts before its emulator, and finds it when it runs', async () => {
  const later = await projectDir({});
  const mcp = await start([], { cwd: later });
  const { isError, json } = await mcp.call('tokens_list');
  expect(isError).toBe(true);
  expect(json.error.detail).toBe('No target service is configured.');
  const own = await startEmulator({ port: 0, dataDir: join(later, '.tokenctl') });
  expect((await mcp.call('tokens_list')).json.status).toBe(200);
  await own.close();
});

test('a service on another machine needs --profile', async () => {
  const remote = { ...env, TOKENCTL_BASE_URL: 'https://api.example.invalid' };
  const mcp = await start([], { cwd: folder, env: remote });
  const { isError, json } = await mcp.call('tokens_list');
  expect(isError).toBe(true);
  expect(json.error).toMatchObject({
    category: 'usage',
    detail: 'The target https://api.example.invalid is not on this machine, so --profile must name it.',
  });
});

test('with --profile, another machine is called', async () => {
  const add = ['profile', 'add', 'remote', '--base-url', 'https://api.example.invalid'];
  expect(await tokenctl(add, { cwd: folder })).toMatchObject({ code: 0 });
  const { TOKENCTL_BASE_URL: _, ...keys } = env;
  const mcp = await start(['--profile', 'remote', '--timeout', '1s'], { cwd: folder, env: keys });
  const { tools } = await mcp.tools();
  expect(tools.filter(({ name }) => name.startsWith('emulator_'))).toEqual([]);
  const { json } = await mcp.call('tokens_list');
  expect(json.error.category).toMatch(/unreachable|timeout/);
});

test('on a terminal, it says what it waits for, and Ctrl-C ends it', async () => {
  const terminal = openTerminal(`${process.execPath} ${EXECUTABLE} mcp`, folder, env);
  await terminal.waitFor('Waiting for a client on standard input');
  terminal.type('\x03');
  expect(await terminal.ended()).toBe(130);
});

/** Sends lines to a server that has been initialized, and returns its answers to them. */
async function answersTo(lines: readonly string[]) {
  const ran = await tokenctl('mcp', { cwd: folder, env, stdin: [...INITIALIZE, ...lines, ''].join('\n') });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const answers = ran.stdout.trim().split('\n');
  return answers.map((line) => JSON.parse(line)).filter(({ id }) => id !== 'initialize');
}

test('it ends when the client closes stdin, after it has answered', async () => {
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ping', arguments: {} } };
  const answers = await answersTo([JSON.stringify(call)]);
  expect(answers).toMatchObject([
    { id: 2, result: { content: [{ type: 'text', text: '{"status":200,"body":{}}' }] } },
  ]);
});
