import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc, { type Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import { startEmulator } from '../../../emulator/index.js';
import { problemType } from '../../../src/contract/problems.js';

/** Large and deep data: up to 4 MB, up to 190 levels. */
const data: Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: 1, max: 4_000_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 500_000 }).map((length) => '"'.repeat(length)),
  fc.integer({ min: 1, max: 100_000 }).map((length) => Array.from({ length }, (_, index) => index)),
  fc.integer({ min: 1, max: 50_000 }).map((length) => Array.from({ length }, (_, n) => ({ n, s: `s${n}` }))),
  fc
    .integer({ min: 1, max: 50_000 })
    .map((length) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, [index]]))),
  fc.integer({ min: 1, max: 190 }).map((depth) => nest(depth)),
  fc.integer({ min: 1, max: 20_000 }).map((length) => Array.from({ length }, () => nest(20))),
);

function nest(depth: number): unknown {
  let value: unknown = 'leaf';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** Filters after a value, which is written as `$`. */
const filter = fc.constantFrom(
  'where_exp: "i", "$ contains i"',
  'find_exp: "i", "$ contains -1"',
  'group_by_exp: "i", "i | size"',
  'has_exp: "i", "$ contains -1"',
  'reject_exp: "i", "$ contains i"',
  'sort',
  'uniq',
  'reverse',
  'compact',
  'map: "n"',
  'concat: $',
  'push: $',
  'join: $',
  'join: ","',
  'append: $',
  'prepend: $',
  'replace: "x", $',
  'replace: "", "xxxxxxxx"',
  'split: ""',
  'strip_html',
  'escape',
  'url_encode',
  'slugify',
  'truncatewords: 5',
  'json',
  "json: '$..*'",
  "json: '$..*..*'",
  'json_stringify',
  'stringify',
  'reveal_last: 4',
  "pad_left: 100000, 'x'",
  "hmac: 'sha256', 'k' | to_base64",
  'card_mask: true, true',
  'size',
  'first',
  'to_string',
  'to_number',
);

const expression = fc.record({
  filters: fc.array(filter, { maxLength: 6 }),
  repeat: fc.constantFrom(1, 1, 1, 2, 20, 500),
});

const POSITIONS = [
  'mask',
  'mask parts',
  'id',
  'search_indexes',
  'fingerprint_expression',
  'tokenize',
  'react',
  'detokenize',
] as const;

export interface HostileReport {
  statuses: Map<number, number>;
  slowest: { position: string; ms: number };
  /** Bytes of heap and buffers that the emulator holds more than at the start. */
  retainedBytes: number;
}

/**
 * Evaluates generated expressions over large and deep data in every position of an expression. Fails on any 5xx other
 * than a reactor's own, or 503 for too many at a time.
 */
export async function fuzzExpressions(requests: number): Promise<HostileReport> {
  const service = await HostileService.start();
  try {
    const before = heldBytes();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...POSITIONS),
        data,
        expression,
        (position, value, { filters, repeat }) =>
          service.check(position, value, (name) =>
            [`{{ ${name}`, ...filters].join(' | ').replaceAll('$', name).concat(' }}').repeat(repeat),
          ),
      ),
      { numRuns: requests, endOnFailure: true },
    );
    return { ...service.report, retainedBytes: heldBytes() - before };
  } finally {
    await service.close();
  }
}

class HostileService {
  readonly report = { statuses: new Map<number, number>(), slowest: { position: '', ms: 0 } };
  #reactor = '';

  private constructor(private readonly emulator: Awaited<ReturnType<typeof startEmulator>>) {}

  static async start(): Promise<HostileService> {
    const emulator = await startEmulator({ port: 0, memory: true, rateLimit: false });
    const service = new HostileService(emulator);
    const code = 'module.exports = async (req) => ({ raw: { size: JSON.stringify(req.args).length } })';
    const body = { name: 'echo', code, configuration: {} };
    service.#reactor = (await service.#send('POST', '/reactors', body, 'management')).body.id as string;
    return service;
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  async check(
    position: (typeof POSITIONS)[number],
    value: unknown,
    write: (name: string) => string,
  ): Promise<void> {
    const text = write('data');
    const token = { type: 'token', data: value, fingerprint_expression: 'x' };
    const requests: Record<typeof position, () => Promise<Answer>> = {
      mask: () => this.#create(position, { ...token, mask: text }),
      'mask parts': () => this.#create(position, { ...token, mask: Array(50).fill({ part: text }) }),
      id: () => this.#create(position, { ...token, id: text }),
      search_indexes: () => this.#create(position, { ...token, search_indexes: Array(10).fill(text) }),
      fingerprint_expression: () => this.#create(position, { ...token, fingerprint_expression: text }),
      tokenize: () => this.#timed(position, 'POST', '/tokenize', [{ ...token, mask: text }]),
      react: () =>
        this.#use(position, token, (id) => [`/reactors/${this.#reactor}/react`, { args: { a: write(id) } }]),
      detokenize: () => this.#use(position, token, (id) => ['/detokenize', [write(id)]]),
    };
    const { status, body } = await requests[position]();
    this.report.statuses.set(status, (this.report.statuses.get(status) ?? 0) + 1);
    const ownFailure = position === 'react' && body?.type === problemType('reactorRuntime');
    if (!ownFailure && status !== 503)
      expect(status, `${position}: ${JSON.stringify(body).slice(0, 500)}`).toBeLessThan(500);
    const created = Array.isArray(body) ? (body[0] as Answer['body']) : body;
    if (typeof created?.id === 'string')
      await this.#send('DELETE', `/tokens/${encodeURIComponent(created.id)}`);
  }

  #create(position: string, body: object): Promise<Answer> {
    return this.#timed(position, 'POST', '/tokens', body);
  }

  /** Stores a token, uses it, and deletes it. */
  async #use(position: string, token: object, request: (id: string) => [string, unknown]): Promise<Answer> {
    const { status, body } = await this.#send('POST', '/tokens', token);
    if (status !== 201) return { status, body };
    const [path, payload] = request(body.id as string);
    const answer = await this.#timed(position, 'POST', path, payload);
    await this.#send('DELETE', `/tokens/${body.id}`);
    return answer;
  }

  async #timed(position: string, method: string, path: string, body: unknown): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await this.#send(method, path, body);
    const ms = performance.now() - startedAt;
    if (ms > this.report.slowest.ms) this.report.slowest = { position, ms };
    return answer;
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    as: 'private' | 'management' = 'private',
  ): Promise<Answer> {
    const response = await fetch(this.emulator.url + path, {
      method,
      headers: { 'SVC-API-KEY': this.emulator.keys[as], 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON.
  body: any;
}

function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
