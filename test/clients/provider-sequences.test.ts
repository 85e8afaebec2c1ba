import { describe, expect, test } from 'vitest';
import { useFamilyEmulator } from './emulator.js';

const emulator = useFamilyEmulator();

async function send(method: string, path: string, body?: object) {
  const headers = { 'BT-API-KEY': emulator().keys.management, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(emulator().url + path, init);
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

const CODE = 'module.exports = async (req) => ({ body: req.args.body });';
/** Properties that a configuration does not set are sent as empty as the provider's types make them. */
const UNSET = { expression: '', replacement: '' };
const RUNTIME = { async: false, image: 'node22', warm_concurrency: 0, timeout: 10, resources: 'standard' };
/** As its maps and lists make it, which it sends empty. */
const TRANSFORM_RUNTIME = {
  ...{ image: 'node22', dependencies: {}, resolutions: { axios: '1.15.6' }, warm_concurrency: 1 },
  ...{ timeout: 10, resources: 'standard', permissions: ['token:create'] },
};
const options = { identifier: 'card', token: { type: 'token', data: "{{ res | json: '$.card' }}" } };

/** What the provider sends to create and to update an object of each of its resources, and what it reads back. */
const RESOURCES: [path: string, created: object, updated: object, read?: object][] = [
  [
    '/applications',
    { name: 'a', type: 'private', permissions: ['token:read'], create_key: false },
    { name: 'b', permissions: ['token:use'] },
  ],
  [
    '/applications',
    { name: 'public', type: 'public', rules: [rule('token:create')], create_key: true },
    { name: 'public', rules: [rule('token:update')] },
  ],
  [
    '/reactors',
    { name: 'r', code: CODE, configuration: { A: '1' } },
    { name: 'r', code: `${CODE}\n`, configuration: {} },
    { state: 'active' },
  ],
  [
    '/reactors',
    { name: 'newer', code: CODE, configuration: {}, runtime: RUNTIME },
    { name: 'newer', code: CODE, configuration: {}, runtime: { ...RUNTIME, timeout: 30 } },
    { state: 'active' },
  ],
  [
    '/proxies',
    {
      name: 'p',
      destination_url: 'https://api.example.com',
      request_transforms: [
        { ...UNSET, type: 'code', code: CODE },
        { ...UNSET, type: 'code', code: CODE, options: { runtime: TRANSFORM_RUNTIME } },
      ],
      response_transforms: [
        { type: 'mask', code: '', matcher: 'regex', expression: '\\d{4}', replacement: '*' },
        { ...UNSET, type: 'tokenize', code: '', options },
      ],
      configuration: { A: '1' },
      require_auth: true,
      disable_detokenization: false,
    },
    { name: 'q', destination_url: 'https://api.example.com/v2', configuration: {}, require_auth: false },
    { state: 'active' },
  ],
  [
    '/webhooks',
    { name: 'w', url: 'https://api.example.com', notify_email: '', events: ['token.created'] },
    { name: 'w', url: 'https://api.example.com', notify_email: 'a@example.com', events: ['token.read'] },
  ],
];

function rule(...permissions: string[]) {
  return { description: 'CARDS', priority: 1, container: '/pci/', transform: 'mask', permissions };
}

describe('what the Terraform provider of the API family sends', () => {
  test.each(RESOURCES)('%s: apply, read back, update, destroy', async (path, create, update, read = {}) => {
    const created = await send('POST', path, create);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const one = `${path}/${created.body.id}`;
    const { create_key: _, ...fields } = create as { create_key?: boolean };
    expect((await send('GET', one)).body).toMatchObject({ ...fields, ...read, id: created.body.id });
    const updated = await send('PUT', one, update);
    expect(updated.status, JSON.stringify(updated.body)).toBe(200);
    expect((await send('GET', one)).body).toMatchObject({
      ...update,
      ...read,
      created_at: expect.any(String),
    });
    expect((await send('DELETE', one)).status).toBe(204);
    expect((await send('GET', one)).status).toBe(404);
  });

  test('the key of an application is in its keys, and others have a resource of their own', async () => {
    const body = { name: 'keys', type: 'private', permissions: [], create_key: true };
    const { id, keys } = (await send('POST', '/applications', body)).body;
    expect(keys[0].key).toMatch(/^key_/);
    const { body: key } = await send('POST', `/applications/${id}/keys`);
    const one = `/applications/${id}/keys/${key.id}`;
    const shown = { created_at: key.created_at, created_by: key.created_by };
    expect((await send('GET', one)).body).toMatchObject(shown);
    expect((await send('GET', `/applications/${id}`)).body.keys).toHaveLength(2);
    expect((await send('DELETE', one)).status).toBe(204);
    expect((await send('GET', one)).status).toBe(404);
  });
});
