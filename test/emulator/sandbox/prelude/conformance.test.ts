import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InvocationOutcome } from '../../../../emulator/sandbox/outcome.js';
import { closedAddress, useHttpServer } from '../../../support/http-server.js';
import { readTables } from '../../../support/reactor-tables.js';
import { run, testSandbox } from '../../../support/sandbox.js';
import { sampled } from '../../../support/width.js';
import { type Result, runInPlainNode } from './plain-node.js';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', method, headers } = request;
  // On a connection that was idle for seconds, as on a busy machine, Node.js reports another error for a timeout.
  response.shouldKeepAlive = false;
  const status = /^\/status\/(\d+)/.exec(url)?.[1];
  if (url === '/redirect') return void response.writeHead(302, { location: '/to' }).end();
  // Never answered: a reactor that a busy machine delays must not get a response before its own timeout.
  if (url === '/slow') return;
  if (url === '/text') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('text ä');
  request.setEncoding('utf8');
  void text(request).then((body) => {
    response.writeHead(status ? Number(status) : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status ? { status: Number(status) } : { method, url, headers, body }));
  });
}

const server = useHttpServer(answer);
const TABLES = Object.fromEntries(
  Object.entries(readTables('snippets')).map(([group, bodies]) => [group, sampled(bodies)]),
);
const all = Object.values(TABLES).flat();
const asReactor = (body: string) => `module.exports = async ({ args: { base, closed } }) => { ${body} }`;
let base: string;
let closed: string;
let inNode: Result[];

beforeAll(async () => {
  base = server.url;
  closed = await closedAddress();
  inNode = await runInPlainNode(all.map((body) => ({ code: asReactor(body), args: { base, closed } })));
});
function asResult(outcome: InvocationOutcome): Result {
  if (outcome.kind === 'returned') return { value: outcome.value ?? null };
  if (outcome.kind === 'threw') return { error: `${outcome.error.name}: ${outcome.error.message}` };
  return { error: outcome.kind };
}

/** Engines word errors of their own differently; the class is what code looks at. */
const ENGINE_MESSAGES =
  /^(SyntaxError|ReferenceError|TypeError|RangeError): .*(JSON|defined|constant|read-only|token).*$/;
const comparable = ({ error, value }: Result): Result =>
  error === undefined ? { value } : { error: error.replace(ENGINE_MESSAGES, '$1') };

describe.each(Object.entries(TABLES))('as in Node.js: %s', (_group, bodies) => {
  const sandbox = testSandbox();

  test.each(bodies)('%s', async (body) => {
    const outcome = await run(sandbox, asReactor(body), { reactorId: 'snippet', args: { base, closed } });
    // Frees the thread for the next snippet, which gets an engine of its own in it.
    sandbox.retire('snippet');
    expect(comparable(asResult(outcome))).toEqual(comparable(inNode[all.indexOf(body)] ?? {}));
  });
});
