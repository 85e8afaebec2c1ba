import { expect, test } from 'vitest';
import { EXECUTABLE, projectDir, runProgram } from '../../../support/executable.js';

/** What the suites have in common: a client, and a local server that reactors and webhooks send to. */
const SUPPORT = `
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const { TOKENCTL_BASE_URL: url, TOKENCTL_MANAGEMENT_KEY: management, TOKENCTL_PRIVATE_KEY: own } = process.env;
export async function call(method, path, body, key = own) {
  const headers = { 'SVC-API-KEY': key, 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(method + ' ' + path + ': ' + response.status);
  return response.status === 204 ? undefined : response.json();
}
export const manage = (method, path, body) => call(method, path, body, management);
/** A made-up card number, each one different. */
let count = 0;
export function card() {
  const digits = '400000' + String(710000000 + 13 * ++count);
  const sum = [...digits].reverse().reduce((total, digit, i) => { const n = digit * (i % 2 ? 1 : 2); return total + (n > 9 ? n - 9 : n); }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}
export const token = (id, data, more = {}) => call('POST', '/tokens', { id, type: 'token', data, ...more });
export const received = [];
export const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => { received.push(body); server.emit('body'); response.end('{}'); });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
export const target = 'http://127.0.0.1:' + server.address().port;
export async function reactor(name, code) {
  const { id } = await manage('POST', '/reactors', { name, code, configuration: {} });
  return (args) => call('POST', '/reactors/' + id + '/react', { args });
}
`;

/** Plants a leak for each number; the token whose data leaks is called leak-N. */
const LEAKING = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { card, manage, reactor, received, server, target, token } from './support.mjs';
const number = async (n) => { const value = card(); await token('leak-' + n, { number: value }); return value; };
const base64 = (text) => Buffer.from(text).toString('base64');

// Before it is a token, split over two writes.
const early = card();
process.stdout.write('charging ' + early.slice(0, 7));
await new Promise((resolve) => setTimeout(resolve, 20));
console.log(early.slice(7));
await token('leak-1', early);

console.log('spaced', (await number(2)).replace(/(....)/g, '$1 '));
console.log('dashed', (await number(3)).match(/..../g).join('-'));
await token('leak-4', { name: "Zoë Müller-O'Hara" });
console.log('GET /?name=' + encodeURIComponent("Zoë Müller-O'Hara"));
console.log(base64(await number(5)), base64('a' + await number(6)), base64('ab' + await number(7)));
console.error(Buffer.from(await number(8)).toString('hex'), Buffer.from(await number(9)).toString('hex').toUpperCase());
await token('leak-10', { note: 'say "hello" to Ann' });
console.log(JSON.stringify({ message: JSON.stringify({ note: 'say "hello" to Ann' }) }));
await token('leak-11', { cvc: '737' });
console.log(JSON.stringify({ cvc: '737', amount: 5 }));
console.error('card', await number(12));
await token('leak-13', { iban: 'DE02120300000000202051' }, { metadata: { reference: 'DE02120300000000202051' } });
await manage('POST', '/webhooks', { name: 'w', url: target, events: ['token.created'] });
const body = once(server, 'body');
await token('leak-14', 'in-a-webhook', { metadata: { reference: 'in-a-webhook' } });
await body;
const own = card();
await token('card-' + own, { number: own });
const log = await reactor('log', 'module.exports = async ({ args }) => { console.log("charging", args.number); return { raw: 1 } }');
await number(16);
await log({ number: '{{ leak-16 | json: "$.number" }}' });
const send = await reactor('send', \`module.exports = async ({ args }) => {
  await fetch(args.url, { method: 'POST', headers: { 'x-data': args.header ?? 'none' }, body: JSON.stringify({ sent: args.body ?? 'none' }) });
  return { raw: 1 };
}\`);
for (const n of [17, 18, 19]) await number(n);
await send({ url: target + '/?card={{ leak-17 | json: "$.number" }}' });
await send({ url: target + '/', header: '{{ leak-18 | json: "$.number" }}' });
await send({ url: target + '/', body: '{{ leak-19 | json: "$.number" }}' });
mkdirSync('out/deep', { recursive: true });
writeFileSync('out/app.log', 'line\\nline\\ncard=' + await number(20) + '\\n');
writeFileSync('out/deep/cache.bin', base64('{"number":"' + await number(21) + '"}'));
server.close();
server.closeAllConnections();
`;

/** Plants a value of a token, named after it, in each channel. */
const CHANNELS = `
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { card, manage, reactor, server, target, token } from './support.mjs';
const { TOKENCTL_BASE_URL: url, TOKENCTL_PRIVATE_KEY: own } = process.env;
const plant = async (name) => { const value = card(); await token(name, { number: value }); return value; };
const send = (path, headers = {}) => fetch(url + path, { headers: { 'SVC-API-KEY': own, ...headers } });
const expression = async (name) => { await plant(name); return '{{ ' + name + ' | json: "$.number" }}'; };
const code = 'module.exports = async () => ({})';
const echo = await reactor('echo', 'module.exports = async ({ args }) => ({ raw: { echoed: args.v } })');
await echo({ v: await expression('raw') });
const thrower = await reactor('thrower', 'module.exports = async ({ args }) => { throw new Error("no luck with " + args.v) }');
await thrower({ v: await expression('thrown') }).catch(() => {});
await token('holder-1', 'x', { search_indexes: ['number-' + await plant('search-index')] });
await token('holder-2', 'x', { containers: ['/pci/' + await plant('container') + '/'] });
await send('/tokens/' + await plant('path'));
await send('/tokens?id=' + await plant('query'));
await send('/tokens/none', { 'x-customer': await plant('header') });
await manage('POST', '/reactors', { name: 'of ' + await plant('reactor-name'), code, configuration: {} });
await manage('POST', '/reactors', { name: 'configured', code, configuration: { K: await plant('configuration') } });
const proxy = await manage('POST', '/proxies', { name: 'p', destination_url: target, require_auth: true });
await send('/proxy/pay/' + encodeURIComponent(await expression('proxy-path')), { 'SVC-PROXY-KEY': proxy.key });
const late = await reactor('late', \`module.exports = async ({ args }) => {
  await fetch(args.url, { method: 'POST', body: 'x'.repeat(90000) + args.v });
  return {};
}\`);
await late({ url: target, v: await expression('end-of-body') });
writeFileSync('out/' + await plant('file-name') + '.log', 'x');
writeFileSync('out/wide.txt', Buffer.from('a ' + await plant('utf-16') + ' b', 'utf16le'));
writeFileSync('out/a.gz', gzipSync('hello ' + await plant('gzip')));
server.close();
server.closeAllConnections();
`;

/** Uses the service as it is meant to be used, and prints what is not a leak. */
const CLEAN = `
import { writeFileSync, mkdirSync } from 'node:fs';
import { call, card, reactor, server, target, token, manage } from './support.mjs';
const number = card();
const created = await call('POST', '/tokens', { id: 'clean', type: 'card', data: { number, expiration_month: 12, expiration_year: 2031, cvc: '123' }, metadata: { order: '4242' } });
console.log(created, JSON.stringify(created));
console.log('ends in', number.slice(-4), 'starts with', number.slice(0, 8), new Date(), { amount: 123456, time: '12:31' });
await token('numbers', { amount: 1234567, pin: '31' });
console.log('order 91234567, 12345678 and 2031', JSON.stringify({ month: 31 }));
const pay = await reactor('pay', \`module.exports = async ({ args }) => {
  console.log('paying', args.number.slice(-4));
  await fetch('\${target}/charge', { method: 'POST', body: JSON.stringify(args) });
  return { raw: { last4: args.number.slice(-4) } };
}\`);
console.log(await pay({ number: '{{ clean | json: "$.number" }}' }));
await manage('POST', '/webhooks', { name: 'w', url: target, events: ['token.updated'] });
await call('PATCH', '/tokens/clean', { metadata: { order: '4243' } });
mkdirSync('out', { recursive: true });
writeFileSync('out/app.log', 'token clean, card ending ' + number.slice(-4));
await new Promise((resolve) => setTimeout(resolve, 100));
server.close();
server.closeAllConnections();
`;

async function exec(suite: string, ...flags: string[]) {
  const directory = await projectDir({
    'support.mjs': SUPPORT,
    'suite.mjs': suite,
    'out/fixture.txt': '4242424242424242',
  });
  return runProgram(
    process.execPath,
    [EXECUTABLE, 'emulator', 'exec', '--fail-on-leak', '--watch-dir', 'out', ...flags]
      .concat(['--output', 'json', '--', process.execPath, 'suite.mjs'])
      .filter((argument) => argument !== ''),
    { cwd: directory },
  );
}

/** Returns where and how the data of each token leaked. */
function leaksIn(stderr: string): Record<string, string[]> {
  const text = stderr.split('\n').find((line) => line.includes('"Token data appeared')) ?? '{}';
  const errors: Record<string, string[]> = JSON.parse(text).error?.errors ?? {};
  const byToken: Record<string, string[]> = {};
  for (const [place, messages] of Object.entries(errors))
    for (const message of messages) {
      const [, token = '', form = ''] = / of token (\S+), as ([^:]+):/.exec(message) ?? [];
      byToken[token] ??= [];
      byToken[token].push(`${place.replace(/[0-9a-f-]{36}/, 'ID').replace(/:\d+$|:\d+(?=,)/, '')} ${form}`);
    }
  return byToken;
}

test('every planted leak is found, with where and how, and without the data', async () => {
  const { code, stdout, stderr } = await exec(LEAKING);
  expect(code, stderr).toBe(1);
  expect(leaksIn(stderr)).toEqual({
    'leak-1': ['stdout, line 1 plain text'],
    'leak-2': ['stdout, line 2 grouped digits'],
    'leak-3': ['stdout, line 3 grouped digits'],
    'leak-4': ['stdout, line 4 URL-encoded'],
    'leak-5': ['stdout, line 5 base64'],
    'leak-6': ['stdout, line 5 base64'],
    'leak-7': ['stdout, line 5 base64'],
    'leak-8': ['stderr, line 1 hex'],
    'leak-9': ['stderr, line 1 hex'],
    'leak-10': ['stdout, line 6 JSON-escaped'],
    'leak-11': ['stdout, line 7 a named field'],
    'leak-12': ['stderr, line 2 plain text'],
    'leak-13': ['metadata of token leak-13 plain text'],
    'leak-14': ['metadata of token leak-14 plain text', 'webhook to http://127.0.0.1 plain text'],
    XXXXXXXX: ['the id of a token plain text', 'webhook to http://127.0.0.1 plain text'],
    'leak-16': ['console of reactor log plain text'],
    'leak-17': ['request of reactor send: POST http://127.0.0.1, URL plain text'],
    'leak-18': ['request of reactor send: POST http://127.0.0.1, headers plain text'],
    'leak-19': ['request of reactor send: POST http://127.0.0.1, body plain text'],
    'leak-20': ['file out/app.log, line 3 plain text'],
    'leak-21': ['file out/deep/cache.bin, line 1 base64'],
  });
  const report = stderr.split('\n').filter((line) => line.startsWith('{"error"'));
  expect(report.join('')).not.toMatch(/400000\d{10}|Zoë|O'Hara|hello|DE0212|in-a-webhook|\b737\b/);
  // The output of the command is passed on as it is.
  expect(stdout).toMatch(/^charging 400000\d{10}\nspaced 4000 00/);
});

test('a leak is found in every channel', async () => {
  const { code, stderr } = await exec(CHANNELS);
  expect(code, stderr).toBe(1);
  expect(leaksIn(stderr)).toEqual({
    raw: ['result of reactor echo plain text'],
    thrown: ['error of reactor thrower plain text'],
    'search-index': ['search indexes of token holder-1 plain text'],
    container: ['containers of token holder-2 plain text'],
    path: ['URL of a request to tokens.get plain text'],
    query: ['URL of a request to tokens.list plain text'],
    header: ['headers of a request to tokens.get plain text'],
    'reactor-name': ['name of reactor of XXXXXXXX plain text'],
    configuration: ['configuration of reactor configured plain text'],
    'proxy-path': ['URL of a request of a proxy to http://127.0.0.1 plain text'],
    'end-of-body': ['request of reactor late: POST http://127.0.0.1, body plain text'],
    'file-name': ['the name of a file plain text'],
    'utf-16': ['file out/wide.txt plain text'],
    gzip: ['file out/a.gz plain text'],
  });
});

test('a log of CI has the report as text, and annotations in GitHub Actions', async () => {
  const directory = await projectDir({
    'suite.mjs': `${SUPPORT}
console.log(JSON.stringify(await token('planted', { cvc: '837' })), 'cvc=837'); process.exit();`,
  });
  const args = [EXECUTABLE, 'emulator', 'exec', '--fail-on-leak', '--', process.execPath, 'suite.mjs'];
  const env = { ...process.env, GITHUB_ACTIONS: 'true' };
  const { code, stderr } = await runProgram(process.execPath, args, { cwd: directory, env });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: Token data appeared outside of the service: one leak\.\n {2}stdout, line 1: data\.cvc[^0-9]*$/m,
  );
  expect(stderr).toMatch(
    /^::error title=Token data appeared::stdout, line 1: data\.cvc of token planted[^0-9]*$/m,
  );
});

test('nothing is reported of a run that keeps data in the service', async () => {
  const { code, stderr } = await exec(CLEAN, '--data-host', '127.0.0.1');
  expect(leaksIn(stderr)).toEqual({});
  expect(code, stderr).toBe(0);
});

test('what is ignored is no leak: a value, a property path, a place', async () => {
  const suite = `
import { token } from './support.mjs';
await token('colour', { colour: 'turquoise', cvc: '837', note: 'a-note-1' }, { metadata: { reference: 'a-note-1' } });
console.log('turquoise', 'card[cvc]=837');
process.exit();`;
  const flags = ['turquoise', 'data.cvc', 'metadata of *'].map((pattern) => `--ignore=${pattern}`);
  expect(leaksIn((await exec(suite)).stderr)).toEqual({
    colour: [
      'metadata of token colour plain text',
      'stdout, line 1 plain text',
      'stdout, line 1 a named field',
    ],
  });
  const { code, stderr } = await exec(suite, ...flags);
  expect(code, stderr).toBe(0);
});

test('data for a host that is not listed is a leak, and the exit code of the command is passed on without one', async () => {
  const { code, stderr } = await exec(CLEAN);
  expect(code).toBe(1);
  expect(Object.keys(leaksIn(stderr))).toEqual(['clean']);
  expect((await exec('process.exit(7)')).code).toBe(7);
});

test('a command that removes the watched directory does not hide what else leaked', async () => {
  const removing = `${CLEAN}\nrmSync('out', { recursive: true });`;
  const { code, stderr } = await exec(`import { rmSync } from 'node:fs';\n${removing}`);
  expect(Object.keys(leaksIn(stderr)), stderr).toEqual(['clean']);
  expect(code).toBe(1);
});
