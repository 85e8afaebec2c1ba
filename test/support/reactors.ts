import { expect } from 'vitest';
import type { Answer } from './call.js';
import type { CallOptions, TestServer } from './test-server.js';

interface NewReactor {
  name?: string;
  configuration?: Record<string, string>;
  application?: { id: string } | null;
}

/** Creates a reactor and returns its id. */
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

/** Invokes a reactor with arguments. */
export function react(
  server: TestServer,
  id: string,
  args?: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  return server.post(`/reactors/${id}/react`, args === undefined ? {} : { args }, options);
}

/** Creates a reactor and invokes it once. */
export async function run(
  server: TestServer,
  code: string,
  args?: unknown,
  reactor: NewReactor = {},
): Promise<Answer> {
  return react(server, await createReactor(server, code, reactor), args);
}

/** Creates an application and returns its id and key. */
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
