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
  readonly #agent: Agent;
  readonly #url: string;

  constructor(url: string, maxSockets = 10) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  async #request({ method, path, key, body }: Call): Promise<IncomingMessage> {
    const headers = { 'SVC-API-KEY': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(this.#url + path, { method, headers, agent: this.#agent });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  /** @returns the body, parsed @throws {Error} with the status, if it is not a success */
  async send(call: Call): Promise<Record<string, unknown>> {
    const response = await this.#request(call);
    let text = '';
    for await (const chunk of response) text += chunk;
    const { statusCode = 0 } = response;
    if (statusCode > 299) throw new Error(`${call.method} ${call.path} answered ${statusCode}.`);
    return (text ? JSON.parse(text) : {}) as Record<string, unknown>;
  }

  /** Waits for the response, whatever it is, and drops it. */
  async sendAndDrop(call: Call): Promise<void> {
    await once((await this.#request(call)).resume(), 'end');
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
  const rounds: { base: number; rate: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ base: await baseline(1), rate: await subject(1) });
  const rate = Math.round(median(rounds.map((round) => round.rate)));
  return { ratio: median(rounds.map(({ base, rate }) => rate / base)), more: ` (${rate}/s)` };
}
