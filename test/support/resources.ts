import { expect } from 'vitest';
import { type OperationId, operationRow } from '../../src/contract/operations.js';
import { type FieldKind, NOUNS, type Noun, RESOURCES } from '../../src/contract/resources.js';
import { type Answer, createTenant } from './call.js';
import type { Credentials } from './emulator.js';
import type { TestServer } from './test-server.js';

/** A value for a field of each kind that an object may need. */
const VALUES: Partial<Record<FieldKind, unknown>> = {
  text: 'one',
  url: 'http://127.0.0.1:9/',
  code: 'module.exports = async () => ({ raw: 1 })',
  map: {},
};

/** What a kind of resource needs besides. */
const SPECIAL: Partial<Record<Noun, object>> = {
  application: { type: 'private', permissions: ['token:read'] },
  webhook: { events: ['application.updated'] },
};

function bodyOf(noun: Noun): Record<string, unknown> {
  const needed = Object.entries(RESOURCES[noun].fields).filter(([, { required }]) => required);
  const values = needed.map(([name, { kind }]) => [name, VALUES[kind]]);
  return { ...Object.fromEntries(values), ...SPECIAL[noun] };
}

/** One resource of each kind, in a tenant of its own. */
export interface Resources extends Credentials, Record<Noun, string> {
  token: string;
  tokenIntent: string;
  document: string;
  encryptionKey: string;
  /** The nonce of a session. */
  session: string;
}

/** @param operation what they are for: an encryption key takes long to make, and few need one */
export async function createResources(server: TestServer, operation?: OperationId): Promise<Resources> {
  const tenant = await createTenant(server.emulator, 'own');
  const { keys } = tenant;
  const create = async (path: string, body: unknown, key: string): Promise<string> => {
    const answer = await server.post(path, body, { key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  const account = { id: 'one', type: 'us_bank_account_number', data: '0001', containers: ['/general/high/'] };
  const token = await create('/tokens', account, keys.private);
  const tokenIntent = await create('/token-intents', { type: 'token', data: 'secret' }, keys.private);
  const file = { content_type: 'application/json', content: 'MQ==' };
  const document = await create('/tokens', { type: 'document', data: file }, keys.private);
  const encryptionKey = operation?.startsWith('keys.')
    ? (await server.post('/keys', {}, { key: keys.private })).body.key_id
    : '';
  const session = (await server.post('/sessions', undefined, { key: keys.public })).body.nonce;
  const ids: [Noun, string][] = [];
  for (const noun of NOUNS)
    ids.push([noun, await create(`/${RESOURCES[noun].collection}`, bodyOf(noun), keys.management)]);
  return {
    ...tenant,
    token,
    tokenIntent,
    session,
    document,
    encryptionKey,
    ...(Object.fromEntries(ids) as Record<Noun, string>),
  };
}

/** A valid body for each operation that takes one, but for those that all resources have. */
const BODIES: Partial<Record<OperationId, (resources: Resources) => unknown>> = {
  'tokens.create': () => ({ id: 'two', type: 'token', data: 'secret' }),
  'tokenIntents.create': () => ({ type: 'token', data: 'secret' }),
  'keys.create': () => ({}),
  'sessions.authorize': ({ session }) => ({ nonce: session, permissions: ['token:read'] }),
  'tokens.update': () => ({ metadata: { changed: 'yes' } }),
  'tokens.search': () => ({ query: 'id:one' }),
  'tokens.searchByCursor': () => ({ query: 'id:one' }),
  'enrichments.verifyBankAccount': ({ token }) => ({ token_id: token, routing_number: '021000021' }),
  tokenize: () => 'secret',
  detokenize: ({ token }) => ({ used: `{{ ${token} }}` }),
  'reactors.react': ({ token }) => ({ args: { used: `{{ ${token} }}` } }),
  'reactors.reactAsync': ({ token }) => ({ args: { used: `{{ ${token} }}` } }),
  'tenants.update': () => ({ name: 'changed' }),
  'applications.update': () => ({ name: 'changed', permissions: ['token:read'] }),
  'applications.keys.update': () => ({ name: 'changed', expires_at: null }),
};

const nounOf = (collection: string | undefined): Noun | undefined =>
  NOUNS.find((noun) => RESOURCES[noun].collection === collection);

/** Returns a valid body for an operation; undefined if it takes none. */
function bodyFor(id: OperationId, resources: Resources): unknown {
  const [collection, verb] = id.split('.');
  const noun = nounOf(collection);
  if (BODIES[id] || !noun) return BODIES[id]?.(resources);
  if (verb === 'update') return { name: 'changed' };
  if (verb === 'create' || verb === 'replace') return { ...bodyOf(noun), name: 'two' };
  return undefined;
}

/** One that every emulator has. */
const TEMPLATE = '31efed55-035c-4b49-b1a1-609a728d91ce';

const NAMES = {
  ...({ tokens: 'token', 'token-intents': 'tokenIntent' } as const),
  ...({ keys: 'encryptionKey', documents: 'document' } as const),
};

/** Returns the path of an operation on these resources. */
function pathOn(id: OperationId, resources: Resources): string {
  const { path } = operationRow(id);
  const [, collection] = path.split('/');
  const one = NAMES[collection as keyof typeof NAMES] ?? nounOf(collection);
  // The first key of an application has the id of the application.
  const query = id === 'enrichments.cardDetails' ? '?bin=424242' : '';
  return (
    path
      .replace('{id}', one ? resources[one] : '')
      .replace('{key_id}', resources.application)
      .replace('{template_id}', TEMPLATE) + query
  );
}

/** Invokes the reactor and waits for its result. @returns the request id */
async function createResult(server: TestServer, { reactor, keys }: Resources): Promise<string> {
  const key = keys.private;
  const { body } = await server.post(`/reactors/${reactor}/react-async`, {}, { key });
  const id = body.asyncReactorRequestId;
  await expect
    .poll(async () => (await server.get(`/reactors/${reactor}/results/${id}`, { key })).status)
    .toBe(200);
  return id;
}

/** Calls an operation in a way that succeeds with the right key. */
export async function callOperation(
  server: TestServer,
  id: OperationId,
  resources: Resources,
  key: string | null,
): Promise<Answer> {
  const body = bodyFor(id, resources);
  const result = id === 'reactors.result' ? await createResult(server, resources) : '';
  const path = pathOn(id, resources).replace('{request_id}', result);
  const form = id === 'documents.upload' ? FORM : {};
  return server.call(operationRow(id).method, path, { key, ...(body !== undefined && { body }), ...form });
}

/** A form with a file, and how it is sent. */
const FORM = {
  raw: '--b\r\nContent-Disposition: form-data; name="document"; filename="a"\r\n\r\n1\r\n--b--\r\n',
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
};
