import { expect, vi } from 'vitest';
import type { OperationId } from '../../src/contract/operations.js';
import { operationRow } from '../../src/contract/operations.js';
import type { Credentials } from './emulator.js';
import { PATIENCE } from './patience.js';
import { createTenant } from './tenants.js';
import type { Answer, TestServer } from './test-server.js';

const REACTOR = { name: 'one', code: 'module.exports = async () => ({ raw: 1 })', configuration: {} };

const PROXY = { name: 'one', destination_url: 'http://127.0.0.1:9/' };
const WEBHOOK = { name: 'one', url: 'http://127.0.0.1:9/', events: ['application.updated'] };

/** One resource of each kind, in a tenant of its own. */
export interface Resources extends Credentials {
  token: string;
  reactor: string;
  application: string;
  webhook: string;
  proxy: string;
}

export async function createResources(server: TestServer): Promise<Resources> {
  const tenant = await createTenant(server.emulator, 'own');
  const { keys } = tenant;
  const create = async (path: string, body: unknown, key: string): Promise<string> => {
    const answer = await server.post(path, body, { key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  const application = { name: 'one', type: 'private', permissions: ['token:read'] };
  return {
    ...tenant,
    token: await create('/tokens', { id: 'one', type: 'token', data: 'secret' }, keys.private),
    reactor: await create('/reactors', REACTOR, keys.management),
    application: await create('/applications', application, keys.management),
    webhook: await create('/webhooks', WEBHOOK, keys.management),
    proxy: await create('/proxies', PROXY, keys.management),
  };
}

/** A valid body for each operation that takes one. */
const BODIES: Partial<Record<OperationId, (resources: Resources) => unknown>> = {
  'tokens.create': () => ({ id: 'two', type: 'token', data: 'secret' }),
  'tokens.update': () => ({ metadata: { changed: 'yes' } }),
  'tokens.search': () => ({ query: 'id:one' }),
  'tokens.searchByCursor': () => ({ query: 'id:one' }),
  tokenize: () => 'secret',
  detokenize: ({ token }) => ({ used: `{{ ${token} }}` }),
  'reactors.create': () => ({ ...REACTOR, name: 'two' }),
  'reactors.replace': () => ({ ...REACTOR, name: 'changed' }),
  'reactors.update': () => ({ name: 'changed' }),
  'reactors.react': ({ token }) => ({ args: { used: `{{ ${token} }}` } }),
  'reactors.reactAsync': ({ token }) => ({ args: { used: `{{ ${token} }}` } }),
  'tenants.update': () => ({ name: 'changed' }),
  'proxies.create': () => ({ ...PROXY, name: 'two' }),
  'proxies.replace': () => ({ ...PROXY, name: 'changed' }),
  'proxies.update': () => ({ name: 'changed' }),
  'webhooks.create': () => ({ ...WEBHOOK, name: 'two' }),
  'webhooks.replace': () => ({ ...WEBHOOK, name: 'changed' }),
  'applications.create': () => ({ name: 'two', type: 'private', permissions: ['token:read'] }),
  'applications.update': () => ({ name: 'changed', permissions: ['token:read'] }),
  'applications.keys.update': () => ({ name: 'changed', expires_at: null }),
};

/** Returns the path of an operation on these resources. */
function pathOn(id: OperationId, { token, reactor, application, webhook, proxy }: Resources): string {
  const ids: Record<string, string> = {
    tokens: token,
    reactors: reactor,
    applications: application,
    webhooks: webhook,
    proxies: proxy,
  };
  const { path } = operationRow(id);
  // The first key of an application has the id of the application.
  return path.replace('{id}', ids[path.split('/')[1] ?? ''] ?? '').replace('{key_id}', application);
}

/** Invokes the reactor and waits for its result. @returns the request id */
async function createResult(server: TestServer, { reactor, keys }: Resources): Promise<string> {
  const key = keys.private;
  const { body } = await server.post(`/reactors/${reactor}/react-async`, {}, { key });
  const id = body.asyncReactorRequestId;
  await vi.waitFor(
    async () => expect((await server.get(`/reactors/${reactor}/results/${id}`, { key })).status).toBe(200),
    PATIENCE,
  );
  return id;
}

/** Calls an operation in a way that succeeds with the right key. */
export async function callOperation(
  server: TestServer,
  id: OperationId,
  resources: Resources,
  key: string | null,
): Promise<Answer> {
  const body = BODIES[id]?.(resources);
  const result = id === 'reactors.result' ? await createResult(server, resources) : '';
  const path = pathOn(id, resources).replace('{request_id}', result);
  return server.call(operationRow(id).method, path, { key, ...(body !== undefined && { body }) });
}
