import { expect } from 'vitest';
import type { Method } from '../../src/contract/operation-row.js';
import { type Answer, type Call, call, createTenant } from './call.js';
import type { Credentials, RunningEmulator } from './emulator.js';

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
    options: Pick<Call, 'as' | 'key' | 'idempotencyKey'> = {},
  ) {
    return call({ ...this.emulator, keys: this.credentials.keys }, method, path, { body, ...options });
  }

  /** Calls a control endpoint of the tenant: `/clock`. */
  control(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.#control(method, `/_emulator/tenants/${this.id}${path}`, body);
  }

  /** Deletes the tenant as whoever runs the emulator does. */
  remove = () => this.#control('DELETE', `/_emulator/tenants/${this.id}`);

  #control(method: Method, path: string, body?: unknown): Promise<Answer> {
    const { url, controlToken } = this.emulator;
    return call({ url, controlToken, keys: this.credentials.keys }, method, path, { control: true, body });
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
}
