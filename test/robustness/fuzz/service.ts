import { expect } from 'vitest';
import type { ApplicationType } from '../../../src/contract/application-types.js';
import type { Method } from '../../../src/contract/operation-row.js';
import { operationRow } from '../../../src/contract/operations.js';
import { PROBLEMS, type ProblemName, problemType } from '../../../src/contract/problems.js';
import { createTenant } from '../../support/call.js';
import { expectContract, operationOf, statusesOf } from '../../support/contract.js';
import { type RunningEmulator, startEmulator } from '../../support/emulator.js';
import { type RawResponse, sendText } from '../../support/raw-http.js';
import type { WildRequest } from './request.js';

const PROBLEM_NAMES = Object.keys(PROBLEMS) as ProblemName[];

/** Statuses of requests that do not reach an operation; decisions.md, Status codes. */
const FRAMEWORK = [400, 401, 403, 404, 405, 413, 415];
/** Statuses of malformed HTTP and of headers that are too large. */
const NO_REQUEST = [400, 417, 431, 501];

/** An emulator that receives generated requests. Ids of its responses are used in later requests. */
export class FuzzedService {
  readonly statuses = new Map<number, number>();
  readonly #errors: string[] = [];
  readonly #ids = new Map<string, string[]>();
  #keys: Record<ApplicationType, string>;
  #otherKey = '';

  private constructor(
    readonly emulator: RunningEmulator,
    errors: string[],
  ) {
    this.#errors = errors;
    this.#keys = emulator.keys;
  }

  static async start(): Promise<FuzzedService> {
    const errors: string[] = [];
    const ignore = () => {};
    const error = (message: string, cause?: unknown) => errors.push(`${message}: ${(cause as Error)?.stack}`);
    const emulator = await startEmulator({
      port: 0,
      rateLimit: false,
      logger: { info: ignore, warn: ignore, error },
    });
    const service = new FuzzedService(emulator, errors);
    service.#otherKey = (await createTenant(emulator, 'Other')).keys.private;
    return service;
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }

  /** Sends a request and fails if the contract does not allow the response. */
  async check(request: WildRequest): Promise<void> {
    const target = this.#filled(request.target, request);
    const answer = await sendText(this.emulator.url, this.#text(request, target));
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    expect(this.#errors.splice(0), 'what the emulator logged').toEqual([]);
    const body = request.method === 'HEAD' || answer.body === '' ? undefined : JSON.parse(answer.body);
    this.#checkStatus(request, target, answer, body);
    this.#checkSecrets(target, answer);
    await this.#learn(request, target, answer, body);
  }

  #text({ method, headers, body, ...rest }: WildRequest, target: string): string {
    const lines = headers.map(([name, value]) => `${name}: ${this.#filled(value, { method, ...rest })}\r\n`);
    const own = headers.some(([name]) => name === 'Host')
      ? ''
      : `Host: ${new URL(this.emulator.url).host}\r\n`;
    const given = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
    const payload = body && this.#filled(body, { method, ...rest });
    const length = payload === undefined || given ? '' : `Content-Length: ${Buffer.byteLength(payload)}\r\n`;
    return `${method} ${target} HTTP/1.1\r\n${own}${lines.join('')}${length}Connection: close\r\n\r\n${payload ?? ''}`;
  }

  #filled(text: string, { target, method, pick }: Pick<WildRequest, 'target' | 'method' | 'pick'>): string {
    const id = this.#idOf(nounOf(target), pick);
    return text
      .replaceAll('<id>', encodeURIComponent(id))
      .replaceAll('<token>', this.#idOf('tokens', pick))
      .replaceAll('<key>', this.#keyFor(method, target))
      .replaceAll('<wrong key>', this.#keys.public)
      .replaceAll('<other key>', this.#otherKey);
  }

  #idOf(noun: string, pick: number): string {
    const known = this.#ids.get(noun) ?? [];
    return known[pick % Math.max(known.length, 1)] ?? 'nothing';
  }

  #keyFor(method: string, target: string): string {
    const id = operationOf(method as Method, target);
    const permission = id && operationRow(id).permission;
    return permission?.startsWith('token:') ? this.#keys.private : this.#keys.management;
  }

  #checkStatus(request: WildRequest, target: string, answer: RawResponse, body: unknown): void {
    const id = operationOf(request.method as Method, target);
    // A reactor chooses the status of its failure, and with a CustomHttpResponseError the body as well.
    const type = (body as { type?: unknown } | null | undefined)?.type;
    if (id === 'reactors.react' && answer.status >= 400 && (!isProblemType(type) || type === RUNTIME)) return;
    const allowed = [
      ...FRAMEWORK,
      ...NO_REQUEST,
      ...(id ? statusesOf(id).filter((status) => status < 500) : []),
    ];
    const preflight = request.method === 'OPTIONS' && answer.status === 204;
    if (!preflight) expect(allowed, JSON.stringify({ answer, target })).toContain(answer.status);
    if (preflight || request.method === 'HEAD') return;
    const headers = new Headers([...answer.headers]);
    if (answer.status < 400 || !NO_REQUEST.includes(answer.status))
      expectContract(request.method as Method, target, { status: answer.status, headers, body });
  }

  /** Fails if a response contains a key, a stack trace or the path of a source file. */
  #checkSecrets(target: string, { status, body }: RawResponse): void {
    const showsKey = /^\/applications(\/[^/]+\/regenerate)?\/?(\?|$)/.test(target);
    for (const key of Object.values(this.#keys)) if (!showsKey) expect(body).not.toContain(key);
    if (status >= 400)
      expect(body).not.toMatch(/node_modules|\.ts:\d+|(?<!reactor)\.js:\d+:\d+|node:internal/);
  }

  async #learn(request: WildRequest, target: string, answer: RawResponse, body: unknown): Promise<void> {
    const id = operationOf(request.method as Method, target);
    if (id === 'tenants.delete' && answer.status === 204) {
      this.#keys = (await createTenant(this.emulator, 'Next')).keys;
      this.#ids.clear();
    }
    const noun = nounOf(target);
    const known = this.#ids.get(noun) ?? [];
    const created = (body as { id?: unknown } | null | undefined)?.id;
    if (answer.status === 201 && typeof created === 'string')
      this.#ids.set(noun, [...known.slice(-50), created]);
    if (request.method === 'DELETE' && answer.status === 204)
      this.#ids.set(
        noun,
        known.filter((one) => !target.includes(encodeURIComponent(one))),
      );
  }
}

const RUNTIME = problemType('reactorRuntime');

function isProblemType(type: unknown): boolean {
  return PROBLEM_NAMES.some((name) => problemType(name) === type);
}

/** Returns the resource of a path: `reactors` for `/reactors/1/react?x`. */
function nounOf(target: string): string {
  return target.split(/[/?]/)[1] ?? '';
}
