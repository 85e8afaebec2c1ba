import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export const quantile = (values: number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;

export const ms = (value: number): string => `${value.toFixed(2)} ms`;

export interface Call {
  method: string;
  path: string;
  key: string;
  body?: unknown;
}

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 10 });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async send({ method, path, key, body }: Call): Promise<{ status: number; json: Record<string, string> }> {
    const headers = { 'SVC-API-KEY': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(this.#url + path, { method, headers, agent: this.#agent });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += chunk;
    return {
      status: response.statusCode ?? 0,
      json: (text ? JSON.parse(text) : {}) as Record<string, string>,
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Ten clients that read a token for a while. @returns milliseconds of each read. */
export async function readTokens(client: Client, call: Call, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + forMs;
  const reader = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      await client.send(call);
      times.push(performance.now() - began);
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: 10 }, reader));
  return times;
}
