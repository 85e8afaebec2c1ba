import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../emulator/index.js';
import { type OperationRow, problemsOf } from '../../src/contract/operation.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../src/contract/operations.js';
import { PROBLEMS, type ProblemName } from '../../src/contract/problems.js';
import { createTenant } from '../support/tenants.js';
import { expectContract, operationOf } from './support/contract.js';
import { type Exchange, readFixtures } from './support/fixture-file.js';
import { filled, matches, resolved, type Values } from './support/placeholders.js';
import { sendRaw } from './support/raw-http.js';

const files = readFixtures();

describe.each(files)('$name', ({ exchanges }) => {
  let emulator: RunningEmulator;
  const values: Values = new Map();

  beforeAll(async () => {
    emulator = await startEmulator({ port: 0 });
    const other = await createTenant(emulator, 'Other');
    values.set('tenant', emulator.tenant_id).set('host', new URL(emulator.url).host);
    for (const [kind, key] of Object.entries(emulator.keys)) values.set(kind, key);
    for (const [kind, key] of Object.entries(other.keys)) values.set(`other ${kind}`, key);
  });
  afterAll(() => emulator.close());

  it.each(exchanges)('$title ($place)', async (exchange) => {
    const target = filled(exchange.target, values);
    const answer = await sendRaw(emulator.url, requestText(exchange, target, values));
    const body = answer.body === '' ? undefined : JSON.parse(answer.body);
    const expected = exchange.response.body === '' ? undefined : JSON.parse(exchange.response.body);
    expect({ status: answer.status, body }).toEqual({
      status: exchange.status,
      body: resolved(expected, body, values),
    });
    for (const [name, value] of exchange.response.headers) {
      const actual = answer.headers.get(name.toLowerCase());
      if (!matches(value, actual ?? '', values)) expect(`${name}: ${actual}`).toBe(`${name}: ${value}`);
    }
    expectContract(exchange.method, target, {
      status: answer.status,
      headers: new Headers([...answer.headers]),
      body,
    });
  });
});

/** The request as it goes over the wire; what every message needs is added. */
function requestText({ method, request }: Exchange, target: string, values: Values): string {
  const body = filled(request.body, values);
  const given = new Map(request.headers.map(([name, value]) => [name, filled(value, values)]));
  const headers = new Map([['Host', values.get('host') ?? ''], ...given, ['Connection', 'close']]);
  if (body !== '') headers.set('Content-Length', String(Buffer.byteLength(body)));
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${target} HTTP/1.1\r\n${head}\r\n${body}`;
}

/** What no example shows: these need a crowd, a full disk or a broken server. */
const WITHOUT_FIXTURE: ReadonlySet<ProblemName> = new Set([
  'requestInFlight',
  'rateLimited',
  'internal',
  'unavailable',
  'storageFull',
  'bodyTooLarge',
]);

function expectedStatuses(row: OperationRow): number[] {
  const problems = problemsOf(row).filter((name) => !WITHOUT_FIXTURE.has(name));
  const possible = problems.filter((name) => name !== 'forbidden' || row.permission !== null);
  return [...row.success, ...possible.map((name) => PROBLEMS[name].status)];
}

describe('the fixtures', () => {
  const shown = new Map<OperationId, Set<number>>();
  for (const { method, target, status } of files.flatMap(({ exchanges }) => exchanges)) {
    const id = operationOf(method, target);
    if (id) shown.set(id, (shown.get(id) ?? new Set()).add(status));
  }

  it.each(OPERATION_IDS)('show the successes and the failures of %s', (id) => {
    expect([...(shown.get(id) ?? [])]).toEqual(expect.arrayContaining(expectedStatuses(operationRow(id))));
  });
});
