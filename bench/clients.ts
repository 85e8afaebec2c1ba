import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import autocannon from 'autocannon';
import { median } from './measurement.js';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  key: string;
  body?: unknown;
}

/** Sends single requests over connections that are kept alive. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 10 });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @returns the body, parsed @throws {Error} with the status, if it is not a success */
  async send({ method, path, key, body }: Call): Promise<Record<string, unknown>> {
    const headers = { 'SVC-API-KEY': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(this.#url + path, { method, headers, agent: this.#agent });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += chunk;
    const { statusCode = 0 } = response;
    if (statusCode > 299) throw new Error(`${method} ${path} answered ${statusCode}.`);
    return (text ? JSON.parse(text) : {}) as Record<string, unknown>;
  }

  close(): void {
    this.#agent.destroy();
  }
}

export const CONNECTIONS = 20;

/** Works for a number of seconds and returns what it did per second. */
export type Rate = (seconds: number) => Promise<number>;

/** Sends a request over and over. The rate is that of its responses. */
export function rateOf(port: number, { method, path, key, body }: Call): Rate {
  const options = {
    url: `http://127.0.0.1:${port}${path}`,
    method,
    headers: { 'SVC-API-KEY': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    connections: CONNECTIONS,
  };
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
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = await baseline(1);
    const rate = await subject(1);
    ratios.push(rate / base);
    rates.push(rate);
  }
  return { ratio: median(ratios), more: ` (${Math.round(median(rates))}/s)` };
}
