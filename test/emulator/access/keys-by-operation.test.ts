import { beforeAll, describe, expect, test } from 'vitest';
import { APPLICATION_TYPES, type ApplicationType } from '../../../src/contract/application-types.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../../src/contract/operations.js';
import { type Permission, permissionsOfType } from '../../../src/contract/permissions.js';
import { NOUNS, RESOURCES } from '../../../src/contract/resources.js';
import { callOperation, createResources, type Resources } from '../../support/resources.js';
import { useServer } from '../../support/test-server.js';
import { sampled } from '../../support/width.js';

const server = useServer({ rateLimit: false });

/** What a refused call must leave unchanged. */
let untouched: Resources;
beforeAll(async () => {
  untouched = await createResources(server);
});

/** What the seeded applications hold; cli.md, `emulator start`. */
const SEEDED: Record<ApplicationType, readonly Permission[]> = {
  public: ['token:create', 'token:update'],
  private: permissionsOfType('private'),
  management: permissionsOfType('management'),
};

function holder(id: OperationId): ApplicationType {
  const { permission } = operationRow(id);
  return (
    APPLICATION_TYPES.find((type) => permission === null || SEEDED[type].includes(permission)) ?? 'private'
  );
}

const usual = (id: OperationId) => operationRow(id).success[0];

/** What an application may do whose rules cover /pci/ alone, on a token in /general/high/. */
const LIMITED: Partial<Record<OperationId, number>> = {
  'tokens.create': 403,
  'tokens.list': 200,
  'tokens.get': 403,
  'tokens.update': 403,
  'tokens.delete': 403,
  'tokens.search': 200,
  'tokens.listByCursor': 200,
  'tokens.searchByCursor': 200,
  tokenize: 403,
  detokenize: 403,
  'reactors.react': 403,
  'reactors.reactAsync': 403,
  // The result of an invocation by another application.
  'reactors.result': 404,
};

async function limitedKey({ keys }: Resources): Promise<string> {
  const rule = {
    priority: 1,
    container: '/pci/',
    transform: 'reveal',
    permissions: permissionsOfType('private'),
  };
  const body = { name: 'limited', type: 'private', rules: [rule] };
  return (await server.post('/applications', body, { key: keys.management })).body.key;
}

/** The key of an application that could do it, and is deleted. */
async function deletedKey(id: OperationId, { keys }: Resources): Promise<string> {
  const type = holder(id);
  const body = { name: 'deleted', type, permissions: permissionsOfType(type) };
  const { id: application, key } = (await server.post('/applications', body, { key: keys.management })).body;
  expect((await server.get('/applications/key', { key })).status).toBe(200);
  await server.delete(`/applications/${application}`, { key: keys.management });
  return key;
}

/** Everything that an operation could have changed. */
async function stateOf({ keys, token, ...ids }: Resources) {
  const key = keys.management;
  const paths = NOUNS.flatMap((noun) => {
    const path = `/${RESOURCES[noun].collection}`;
    return [path, `${path}/${ids[noun]}`];
  });
  const answers = await Promise.all([
    ...[`/tokens/${token}`, '/tokens'].map((path) => server.get(path, { key: keys.private })),
    ...[...paths, '/tenants/self'].map((path) => server.get(path, { key })),
  ]);
  return answers.map(({ status, body }) => ({ status, body }));
}

async function refused(id: OperationId, key: string | null, status: number) {
  const before = await stateOf(untouched);
  expect((await callOperation(server, id, untouched, key)).status).toBe(status);
  expect(await stateOf(untouched)).toEqual(before);
}

describe.each(sampled(OPERATION_IDS))('%s', (id) => {
  const { permission } = operationRow(id);

  test('no key: 401', () => refused(id, null, 401));

  test('an unknown key: 401', () => refused(id, 'key_unknown', 401));

  test.each(APPLICATION_TYPES)('the seeded %s key', async (type) => {
    const granted = permission === null || SEEDED[type].includes(permission);
    if (!granted) return refused(id, untouched.keys[type], 403);
    const resources = await createResources(server);
    expect((await callOperation(server, id, resources, resources.keys[type])).status).toBe(usual(id));
  });

  test('the key of a deleted application: 401', async () =>
    refused(id, await deletedKey(id, untouched), 401));

  test('a key of another tenant acts on its own tenant only', async () => {
    const { keys } = await createResources(server);
    const before = await stateOf(untouched);
    // What a body names is the other tenant's own: both have a token of this id.
    const expected = operationRow(id).path.includes('{id}') && !isOnToken(id) ? 404 : usual(id);
    expect((await callOperation(server, id, untouched, keys[holder(id)])).status).toBe(expected);
    expect(await stateOf(untouched)).toEqual(before);
  });

  test('a key whose rules cover other containers', async () => {
    const answer = await callOperation(server, id, untouched, await limitedKey(untouched));
    expect(answer.status).toBe(LIMITED[id] ?? (permission === null ? 200 : 403));
    if (answer.body?.pagination && permission !== null) expect(answer.body.data).toEqual([]);
  });
});

function isOnToken(id: OperationId): boolean {
  return operationRow(id).path.startsWith('/tokens/{id}');
}
