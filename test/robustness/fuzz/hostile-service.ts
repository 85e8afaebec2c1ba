import assert from 'node:assert/strict';
import { MERGE_PATCH_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { problemType } from '../../../src/contract/problems.js';
import { type RunningEmulator, startEmulator } from '../../support/emulator.js';

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON.
  body: any;
}

type Write = (variable: string) => string;
type Check = (service: HostileService, data: unknown, write: Write) => Promise<Answer>;

const METADATA_KEYS = 256;
const PAGE = 5;

const token = (data: unknown, more: object = {}) => ({
  type: 'token',
  data,
  // Constant, so that only the position under test evaluates the data.
  fingerprint_expression: 'x',
  ...more,
});

/** What every position of an expression does with it. */
const CHECKS = {
  mask: (service, data, write) => service.create(token(data, { mask: write('data') })),
  'parts of a mask': (service, data, write) =>
    service.create(token(data, { mask: Array(50).fill({ part: write('data') }) })),
  id: (service, data, write) => service.create(token(data, { id: write('data') })),
  search_indexes: (service, data, write) =>
    service.create(token(data, { search_indexes: Array(10).fill(write('data')) })),
  fingerprint_expression: (service, data, write) =>
    service.create(token(data, { fingerprint_expression: write('data') })),
  'fingerprint_expression over metadata': (service, data, write) => {
    const value = JSON.stringify(data).slice(0, 10_000);
    const metadata = Object.fromEntries(Array.from({ length: METADATA_KEYS }, (_, n) => [`k${n}`, value]));
    return service.create(token(1, { metadata, fingerprint_expression: write('metadata') }));
  },
  tokenize: (service, data, write) =>
    service.timed('POST', '/tokenize', [token(data, { mask: write('data') })]),
  update: (service, data, write) =>
    service.withToken(token(data), (id) => service.timed('PATCH', `/tokens/${id}`, { mask: write('data') })),
  page: (service, data, write) => {
    const tokens = Array(PAGE).fill(token(data, { mask: write('data') }));
    return service.withTokens(tokens, () => service.timed('GET', '/tokens?size=100'));
  },
  react: (service, data, write) =>
    service.withToken(token(data), (id) =>
      service.timed('POST', `/reactors/${service.reactor}/react`, { args: { a: write(id) } }),
    ),
  detokenize: (service, data, write) =>
    service.withToken(token(data), (id) => service.timed('POST', '/detokenize', [write(id)])),
} satisfies Record<string, Check>;

type Position = keyof typeof CHECKS;

export const POSITIONS = Object.keys(CHECKS) as Position[];

/** An emulator that evaluates hostile expressions, one request at a time. */
export class HostileService {
  readonly statuses = new Map<number, number>();
  slowest = { position: '', ms: 0 };
  reactor = '';
  #lastMs = 0;

  private constructor(private readonly emulator: RunningEmulator) {}

  static async start(): Promise<HostileService> {
    const service = new HostileService(await startEmulator({ port: 0, memory: true, rateLimit: false }));
    const code = 'module.exports = async (req) => ({ raw: { size: JSON.stringify(req.args).length } })';
    const body = { name: 'echo', code, configuration: {} };
    service.reactor = (await service.#send('POST', '/reactors', body, 'management')).body.id as string;
    return service;
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  /** Evaluates an expression over data. Fails on any 5xx other than a reactor's own. */
  async check(position: Position, data: unknown, write: Write): Promise<void> {
    this.#lastMs = 0;
    const { status, body } = await CHECKS[position](this, data, write);
    if (this.#lastMs > this.slowest.ms) this.slowest = { position, ms: this.#lastMs };
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const isReactorError = position === 'react' && body?.type === problemType('reactorRuntime');
    assert.ok(status < 500 || isReactorError, `${position}: ${JSON.stringify(body).slice(0, 500)}`);
    if (position === 'tokenize' && status === 200) await this.#delete([body[0].id]);
  }

  /** Creates a token, which is timed, and deletes it. */
  async create(body: object): Promise<Answer> {
    const answer = await this.timed('POST', '/tokens', body);
    if (answer.status === 201) await this.#delete([answer.body.id]);
    return answer;
  }

  /** Stores a token, uses it, and deletes it. @returns the response of the use, or why the token was not stored */
  withToken(body: object, use: (id: string) => Promise<Answer>): Promise<Answer> {
    return this.withTokens([body], ([id = '']) => use(id));
  }

  async withTokens(bodies: object[], use: (ids: string[]) => Promise<Answer>): Promise<Answer> {
    const stored = await this.#send('POST', '/tokenize', bodies);
    if (stored.status !== 200) return stored;
    const ids = stored.body.map(({ id }: { id: string }) => id);
    const answer = await use(ids);
    await this.#delete(ids);
    return answer;
  }

  async timed(method: string, path: string, body?: unknown): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await this.#send(method, path, body);
    this.#lastMs = performance.now() - startedAt;
    return answer;
  }

  async #delete(ids: string[]): Promise<void> {
    for (const id of ids) await this.#send('DELETE', `/tokens/${encodeURIComponent(id)}`);
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    as: 'private' | 'management' = 'private',
  ): Promise<Answer> {
    const response = await fetch(this.emulator.url + path, {
      method,
      headers: {
        'SVC-API-KEY': this.emulator.keys[as],
        'content-type': method === 'PATCH' ? MERGE_PATCH_CONTENT_TYPE : 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}
