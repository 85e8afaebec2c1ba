import { expect } from 'vitest';
import { MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { Method } from '../../src/contract/operation-row.js';
import type { Credentials, RunningEmulator } from './emulator.js';
import { createTenant } from './tenants.js';
import type { Answer } from './test-server.js';

/** A tenant of its own on a running emulator, with its keys and its control endpoints. */
export class TestTenant {
  private constructor(
    private readonly emulator: Pick<RunningEmulator, 'url' | 'controlToken'>,
    readonly credentials: Credentials,
  ) {}

  static async create(
    emulator: Pick<RunningEmulator, 'url' | 'controlToken'>,
    name = 'test',
  ): Promise<TestTenant> {
    return new TestTenant(emulator, await createTenant(emulator, name));
  }

  get id(): string {
    return this.credentials.tenant_id;
  }

  call(
    method: Method,
    path: string,
    body?: unknown,
    {
      as = 'private',
      headers = {},
    }: { as?: 'private' | 'management'; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return this.#send(method, path, body, { 'SVC-API-KEY': this.credentials.keys[as], ...headers });
  }

  /** Calls a control endpoint of the tenant: `/clock`. */
  control(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.#send(method, `/_emulator/tenants/${this.id}${path}`, body, {
      authorization: `Bearer ${this.emulator.controlToken}`,
    });
  }

  async advance(duration: string): Promise<Answer['body']> {
    const { status, body } = await this.control('PUT', '/clock', { advance: duration });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  /** Creates a token and returns its id. */
  async token(data: unknown = 'secret', more: object = {}): Promise<string> {
    const { status, body } = await this.call('POST', '/tokens', { type: 'token', data, ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }

  async tokens(): Promise<number> {
    return (await this.call('GET', '/tokens')).body.pagination.total_items;
  }

  /** Creates a reactor and returns its id. */
  async reactor(code: string): Promise<string> {
    const body = { name: 'test', code, configuration: {} };
    return (await this.call('POST', '/reactors', body, { as: 'management' })).body.id;
  }

  async #send(method: Method, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const type = method === 'PATCH' ? MERGE_PATCH_CONTENT_TYPE : 'application/json';
    const response = await fetch(this.emulator.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  }
}
