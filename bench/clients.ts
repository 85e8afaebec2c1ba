import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { median } from './measurement.js';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  key: string;
  body?: unknown;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request over a connection that is kept alive. */
export async function open(url: string, { method, path, key, body }: Call): Promise<IncomingMessage> {
  const headers = { 'SVC-API-KEY': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const sent = request(url + path, { method, headers, agent });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** @returns the body, parsed @throws {Error} with the status, if it is not a success */
export async function send(url: string, call: Call): Promise<Record<string, unknown>> {
  const response = await open(url, call);
  const answer = await text(response);
  const { statusCode = 0 } = response;
  if (statusCode > 299) throw new Error(`${call.method} ${call.path} answered ${statusCode}.`);
  return JSON.parse(answer || '{}') as Record<string, unknown>;
}

export const CONNECTIONS = 20;

/** Works for a number of seconds and returns what it did per second. */
export type Rate = (seconds: number) => Promise<number>;

/** Sends a request over and over. The rate is that of its responses. */
export function rateOf(url: string, { method, path, key, body }: Call): Rate {
  const headers = { 'SVC-API-KEY': key, 'content-type': 'application/json' };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const options = { url: url + path, method, headers, ...content, connections: CONNECTIONS };
  return async (duration) => {
    const { requests, non2xx, errors, duration: took } = await autocannon({ ...options, duration });
    if (non2xx + errors > 0) throw new Error(`${method} ${path} failed ${non2xx + errors} times.`);
    return requests.total / took;
  };
}

const ROUNDS = 12;
const WARM_UP_SECONDS = 3;

/** Measures both in turn, a second each: other load of the machine hits both. Returns the median ratio. */
export async function compareRates(baseline: Rate, subject: Rate): Promise<{ ratio: number; more: string }> {
  await baseline(WARM_UP_SECONDS);
  await subject(WARM_UP_SECONDS);
  const rounds: { base: number; rate: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ base: await baseline(1), rate: await subject(1) });
  const rate = Math.round(median(rounds.map((round) => round.rate)));
  return { ratio: median(rounds.map(({ base, rate }) => rate / base)), more: ` (${rate}/s)` };
}
