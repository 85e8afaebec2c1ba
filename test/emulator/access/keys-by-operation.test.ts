import { beforeAll, describe, expect, test } from 'vitest';
import { APPLICATION_TYPES, type ApplicationType } from '../../../src/contract/application-types.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../../src/contract/operations.js';
import {
  isPermission,
  type KeyNeed,
  type Permission,
  permissionsOfType,
  typesFor,
} from '../../../src/contract/permissions.js';
import { NOUNS, RESOURCES } from '../../../src/contract/resources.js';
import { callOperation, createResources, type Resources } from '../../support/resources.js';
import { useServer } from '../../support/test-server.js';

const server = useServer({ rateLimit: false });

/** What a refused call must leave unchanged. */
let untouched: Resources;
/** The key of an application whose rules cover other containers. */
let limitedKey: string;
beforeAll(async () => {
  untouched = await createResources(server, 'keys.get');
  const permissions = permissionsOfType('private');
  const rules = [{ priority: 1, container: '/pci/', transform: 'reveal', permissions }];
  const body = { name: 'limited', type: 'private', rules };
  limitedKey = (await server.post('/applications', body, { key: untouched.keys.management })).body.key;
});

/** What the seeded applications hold; cli.md, `emulator start`. */
const SEEDED: Record<ApplicationType, readonly Permission[]> = {
  public: ['token:create', 'token:update', 'token-intent:create'],
  private: permissionsOfType('private'),
  management: permissionsOfType('management'),
};

const meets = (type: ApplicationType, need: KeyNeed): boolean =>
  isPermission(need) ? SEEDED[type].includes(need) : typesFor(need).includes(type);

function holder(id: OperationId): ApplicationType {
  const { permission } = operationRow(id);
  return APPLICATION_TYPES.find((type) => meets(type, permission)) ?? 'private';
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
  'keys.create': 201,
  'keys.list': 200,
  'keys.get': 200,
  tokenize: 403,
  detokenize: 403,
  'reactors.react': 403,
  'reactors.reactAsync': 403,
  // The result of an invocation by another application.
  'reactors.result': 404,
};

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

const isOnToken = (id: OperationId) => operationRow(id).path.startsWith('/tokens/{id}');

describe.each(OPERATION_IDS)('%s', (id) => {
  const { permission, path } = operationRow(id);
  const isGranted = (type: ApplicationType) => meets(type, permission);

  test('is refused to keys that may not do it, and changes nothing then', async () => {
    const ended = await deletedKey(id, untouched);
    const before = await stateOf(untouched);
    const statusWith = async (key: string | null) => (await callOperation(server, id, untouched, key)).status;
    for (const key of [null, 'key_unknown', ended]) expect([key, await statusWith(key)]).toEqual([key, 401]);
    for (const type of APPLICATION_TYPES)
      if (!isGranted(type)) expect([type, await statusWith(untouched.keys[type])]).toEqual([type, 403]);
    const limited = await callOperation(server, id, untouched, limitedKey);
    expect(limited.status).toBe(LIMITED[id] ?? (permission === null ? 200 : 403));
    if (limited.body?.pagination && permission !== null) expect(limited.body.data).toEqual([]);
    const { keys } = await createResources(server);
    // What a body names is the other tenant's own: both have a token of this id.
    const namesOther = (path.includes('{id}') && !isOnToken(id)) || id === 'sessions.authorize';
    const ofOther = namesOther ? 404 : usual(id);
    expect(await statusWith(keys[holder(id)])).toBe(ofOther);
    expect(await stateOf(untouched)).toEqual(before);
  });

  test.each(APPLICATION_TYPES.filter(isGranted))('succeeds with the seeded %s key', async (type) => {
    const resources = await createResources(server, id);
    expect((await callOperation(server, id, resources, resources.keys[type])).status).toBe(usual(id));
  });
});
