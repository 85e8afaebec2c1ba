import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Call, call } from '../../support/call.js';
import { isExplained, type Observed } from './linearizability.js';
import type { FleetProcesses } from './processes.js';

/** Clients that send requests at the same time. */
const CLIENTS = 12;
/** Tokens that they use at the same time, and operations after which they change to others. */
const TOKENS = 8;
const OPERATIONS_PER_ROUND = 100;
/** Tries of a request with an idempotency key. */
const MAX_TRIES = 200;
const RETRY_MS = 50;
/** Milliseconds that a client waits after a request without an answer: each of them doubles the work of the checker. */
const PAUSE_MS = 300;

/** Begins the data of each token, which ends with its id. */
export const SECRET = 'plain-text';

/** What the operations have shown. */
export interface Findings {
  /** Ids of tokens whose results no order of the operations explains. */
  unexplained: string[];
  /** The last value of each token that no operation without an answer may still change; undefined if it does not exist. */
  values: Map<string, string | undefined>;
  /** By idempotency key, whether its request was ever answered with success. */
  keys: Map<string, boolean>;
}

/** What is requested. */
type What = [method: string, path: string, options?: Call];

interface Response {
  status: number;
  value: string | undefined;
}

/**
 * Does operations of generated kinds on generated tokens, on one process after the other. The tokens of a round are checked
 * when nobody uses them any more, so that only their last values need be remembered.
 * @param goesOn whether there is another operation after a number of them
 */
export async function work(fleet: FleetProcesses, goesOn: (count: number) => boolean): Promise<Findings> {
  const findings: Findings = { unexplained: [], values: new Map(), keys: new Map() };
  const rounds = new Map<number, Round>();
  let count = 0;
  const client = async () => {
    while (goesOn(count)) {
      count += 1;
      const number = Math.floor(count / OPERATIONS_PER_ROUND);
      const round = rounds.get(number) ?? { clients: 0, tokens: new Map() };
      rounds.set(number, round);
      round.clients += 1;
      const id = `token-${number}-${Math.floor(Math.random() * TOKENS)}`;
      if (Math.random() < 0.1) await createOnce(fleet, `key-${count}`, findings);
      else await observe(fleet, id, String(count), round);
      round.clients -= 1;
      if (round.clients > 0 || number === Math.floor(count / OPERATIONS_PER_ROUND)) continue;
      rounds.delete(number);
      await check(fleet, round, findings);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const round of rounds.values()) await check(fleet, round, findings);
  return findings;
}

/** The clients that use some tokens, and what was done to each. */
interface Round {
  clients: number;
  tokens: Map<string, Observed[]>;
}

async function check(fleet: FleetProcesses, { tokens }: Round, findings: Findings): Promise<void> {
  for (const [id, observed] of tokens) {
    const last = await read(fleet, id);
    if (!isExplained([...observed, last])) findings.unexplained.push(id);
    if (observed.every(({ end }) => end !== undefined)) findings.values.set(id, last.value);
  }
}

/** Reads the value of a token that has not changed since it was checked. */
export async function readValue(fleet: FleetProcesses, id: string): Promise<string | undefined> {
  return (await read(fleet, id)).value;
}

async function observe(fleet: FleetProcesses, id: string, value: string, { tokens }: Round): Promise<void> {
  const kinds = ['create', 'create', 'update', 'read', 'read', 'delete'] as const;
  const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? 'read';
  const operation: Observed = { kind, start: performance.now() };
  const observed = tokens.get(id) ?? [];
  tokens.set(id, observed);
  if (kind !== 'read' && kind !== 'delete') operation.value = value;
  const response = await send(fleet, kind, id, value);
  if (kind !== 'read' || response !== undefined) observed.push(operation);
  if (response === undefined) return delay(PAUSE_MS);
  operation.end = performance.now();
  operation.found = kind === 'create' ? response.status === 409 : response.status !== 404;
  if (kind === 'read' && response.value !== undefined) operation.value = response.value;
}

/** Reads until a process answers. */
async function read(fleet: FleetProcesses, id: string): Promise<Observed> {
  for (;;) {
    const start = performance.now();
    const response = await send(fleet, 'read', id, '');
    if (response === undefined) {
      await delay(RETRY_MS);
      continue;
    }
    const { status, value } = response;
    return {
      kind: 'read',
      start,
      end: performance.now(),
      found: status === 200,
      ...(value !== undefined && { value }),
    };
  }
}

/** Returns undefined when nobody knows what became of the request. */
async function send(
  fleet: FleetProcesses,
  kind: Observed['kind'],
  id: string,
  value: string,
): Promise<Response | undefined> {
  const metadata = { value };
  const body = { id, type: 'token', data: `${SECRET} of ${id}`, metadata };
  const requests: Record<Observed['kind'], What> = {
    create: ['POST', '/tokens', { body }],
    update: ['PATCH', `/tokens/${id}`, { body: { metadata } }],
    read: ['GET', `/tokens/${id}`],
    delete: ['DELETE', `/tokens/${id}`],
  };
  const answer = await request(fleet, ...requests[kind]);
  if (answer === undefined || answer.status >= 500) return undefined;
  return { status: answer.status, value: answer.body?.metadata?.value };
}

/** Sends a request with an idempotency key again and again, until it is answered. */
async function createOnce(fleet: FleetProcesses, key: string, { keys }: Findings): Promise<void> {
  keys.set(key, false);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const body = { type: 'token', data: key, metadata: { key } };
    const answer = await request(fleet, 'POST', '/tokens', { body, idempotencyKey: key });
    if (answer?.status === 201) return void keys.set(key, true);
    // The process that had it was killed; it is free again later, or its response is lost.
    if (answer?.status === 409) return;
    await delay(RETRY_MS);
  }
}

/** The number of tokens that the request with an idempotency key has created. */
export async function countCreated(fleet: FleetProcesses, key: string): Promise<number> {
  for (;;) {
    const answer = await request(fleet, 'GET', `/tokens?metadata.key=${key}`);
    if (answer?.status === 200) return answer.body?.pagination?.total_items ?? -1;
    await delay(RETRY_MS);
  }
}

/** Sends again what reached no process, because it was killed. Returns undefined if it may have reached one. */
async function request(fleet: FleetProcesses, ...what: What): Promise<Answer | undefined> {
  for (;;) {
    try {
      return await call(fleet.next(), ...what);
    } catch (error) {
      if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'ECONNREFUSED')
        return undefined;
      await delay(RETRY_MS);
    }
  }
}
