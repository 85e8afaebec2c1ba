import { afterAll, beforeAll, expect } from 'vitest';
import * as z from 'zod';
import type { Logger } from '../../emulator/lib/logger.js';
import { CONTROL_IDS, controlEndpoint } from '../../src/contract/control/endpoints.js';
import { schemasOf } from '../../src/contract/control/schemas.js';
import { headerNames, MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { Method } from '../../src/contract/operation-row.js';
import type { Answer } from './call.js';
import { expectContract } from './contract.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from './emulator.js';
import { PATIENCE_MS } from './patience.js';

export interface CallOptions {
  /** The seeded application whose key is sent; default `private`. */
  as?: 'private' | 'management' | 'public';
  /** Any other key; `null` sends none. */
  key?: string | null;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

/** An emulator on a free port, started before the tests of a file or block and closed after them. */
export class TestServer {
  #emulator: RunningEmulator | undefined;
  /** The errors that the emulator logged. Any of them fails the test file. */
  readonly #errors: string[] = [];

  constructor(private readonly options: EmulatorOptions) {}

  get emulator(): RunningEmulator {
    if (this.#emulator === undefined) throw new Error('The server runs within tests only.');
    return this.#emulator;
  }

  async start(): Promise<void> {
    const options = { port: 0, rateLimit: false, logger: this.#logger(), ...this.options };
    // Most tests invoke no reactor, and a thread of the sandbox takes more than all the rest of a start.
    this.#emulator = await startEmulator(options, { warmSandbox: false });
  }

  async close(): Promise<void> {
    await this.#emulator?.close();
    expect(this.#errors).toEqual([]);
  }

  /** Ends it, and starts another one with the same options. */
  async restart(): Promise<void> {
    await this.close();
    await this.start();
  }

  #logger(): Logger {
    const ignore = () => {};
    const error = (message: string, cause?: unknown) => this.#errors.push(`${message}: ${String(cause)}`);
    return { info: ignore, warn: ignore, error };
  }

  /** Sends a request and asserts that the response matches the contract. */
  async call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const { as = 'private', key = this.emulator.keys[as], body, raw, headers = {} } = options;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = method === 'PATCH' ? MERGE_PATCH_CONTENT_TYPE : 'application/json';
    const names = headerNames(this.options.headerPrefix);
    const response = await fetch(`${this.emulator.url}${path}`, {
      method,
      headers: {
        ...(key !== null && { [names.apiKey]: key }),
        ...(payload !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text ? JSON.parse(text) : undefined,
    };
    expectContract(method, path, answer, names);
    return answer;
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, options);
  post = (path: string, body: unknown, options?: CallOptions) =>
    this.call('POST', path, { ...options, body });
  put = (path: string, body: unknown, options?: CallOptions) => this.call('PUT', path, { ...options, body });
  patch = (path: string, body: unknown, options?: CallOptions) =>
    this.call('PATCH', path, { ...options, body });
  delete = (path: string, options?: CallOptions) => this.call('DELETE', path, options);

  async token(body: object, options?: CallOptions): Promise<Answer['body']> {
    const answer = await this.post('/tokens', body, options);
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ id: expect.any(String) });
    return answer.body;
  }

  /** Creates an application with these permissions or rules and returns its key. */
  async application(access: object, type?: string): Promise<string> {
    return (await createApplication(this, access, type)).key;
  }
}

/** The status and the fields that a refusal names. */
export const refusal = ({ status, body }: Answer) => [status, Object.keys(body?.errors ?? {})];

/** The ids of a page, in its order. */
export const idsIn = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

/** Provides one server for all tests of the file or block that calls it. */
export function useServer(options: EmulatorOptions = {}): TestServer {
  const server = new TestServer(options);
  beforeAll(() => server.start());
  afterAll(() => server.close());
  return server;
}

interface NewReactor {
  name?: string;
  configuration?: Record<string, string>;
  application?: { id: string } | null;
}

export async function createReactor(
  server: TestServer,
  code: string,
  { name = 'test', configuration = {}, ...rest }: NewReactor = {},
): Promise<string> {
  const body = { name, code, configuration, ...rest };
  const answer = await server.post('/reactors', body, { as: 'management' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

export function react(
  server: TestServer,
  id: string,
  args?: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  return server.post(`/reactors/${id}/react`, args === undefined ? {} : { args }, options);
}

export async function run(
  server: TestServer,
  code: string,
  args?: unknown,
  reactor: NewReactor = {},
): Promise<Answer> {
  return react(server, await createReactor(server, code, reactor), args);
}

export async function createApplication(
  server: TestServer,
  access: object,
  type = 'private',
): Promise<{ id: string; key: string }> {
  const answer = await server.post('/applications', { name: 'test', type, ...access }, { as: 'management' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** Returns entries of the tenant's audit log, newest first. */
export async function logEntries(server: TestServer, query: string): Promise<Answer['body'][]> {
  const answer = await server.get(`/logs?${query}&size=100`, { as: 'management' });
  return answer.body.data;
}

type ControlMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls control endpoints with the control token; a success must be what the contract says of the endpoint. */
export function controlOf(server: TestServer) {
  const call = async (method: ControlMethod, path: string, body?: unknown): Promise<Answer> => {
    const answer = await server.call(method, `/_emulator${path}`, {
      key: null,
      headers: { authorization: `Bearer ${server.emulator.controlToken}` },
      ...(body !== undefined && { body }),
    });
    if (answer.status < 400) expectEndpoint(method, path, answer);
    return answer;
  };
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}

function expectEndpoint(method: ControlMethod, path: string, { status, body }: Answer): void {
  const [bare = ''] = path.split('?');
  const id = CONTROL_IDS.find((one) => {
    const row = controlEndpoint(one);
    return row.method === method && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare);
  });
  if (id === undefined) throw new Error(`${method} ${path} is not in the table of control endpoints.`);
  expect(status).toBe(controlEndpoint(id).success);
  const parsed = z.safeParse(schemasOf(id).response, body);
  expect(parsed.error?.issues ?? [], `${method} ${path}: the body of ${status}`).toEqual([]);
}
