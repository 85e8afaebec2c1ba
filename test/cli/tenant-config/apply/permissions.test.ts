import { expect, test } from 'vitest';
import { call } from '../../../support/call.js';
import { tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const NAMES = ['payments', 'charge', 'ours'];
const FILES = {
  'a.js': 'module.exports = async () => ({ raw: 1 });',
  'tokenctl.json': JSON.stringify({
    applications: [{ name: 'payments', type: 'private', permissions: ['token:read'] }],
    reactors: [{ name: 'charge', code: 'a.js', application: 'payments', smoke: [{ expect: { raw: 1 } }] }],
    webhooks: [{ name: 'ours', url: 'http://127.0.0.1:9/hook', events: ['token.created'] }],
  }),
};

async function setUp() {
  const { run, cwd, keys } = await emulator.project(FILES);
  const send = (method: string, path: string, body?: object) =>
    call({ ...emulator, keys }, method, path, { as: 'management', body });
  /** Creates an application and returns its key. */
  const keyWith = async (type: string, permissions: readonly string[]): Promise<string> =>
    (await send('POST', '/applications', { name: `ci ${type}`, type, permissions })).body.key;
  const apply = (keyVariables: Record<string, string>) =>
    tokenctl('apply --yes', { cwd, env: { TOKENCTL_BASE_URL: emulator.url, ...keyVariables } });
  /** The objects of the manifest that the service has. */
  const found = async () => {
    const lists = await Promise.all(
      ['/applications', '/reactors', '/webhooks'].map((path) => send('GET', path)),
    );
    return lists.flatMap(({ body }) => body.data).filter(({ name }) => NAMES.includes(name));
  };
  const needed = async () =>
    (await run('plan --permissions --json')).json.permissions as {
      management: string[];
      private: string[];
    };
  return { keys, keyWith, apply, found, needed };
}

test('a private key that is missing is noticed before anything is written', async () => {
  const { keys, apply, found } = await setUp();
  const { code, stderr } = await apply({ TOKENCTL_MANAGEMENT_KEY: keys.management });
  expect(code).toBe(4);
  expect(JSON.parse(stderr).error.errors).toEqual({
    'token:use': ['there is no private key; needed for reactor charge'],
  });
  expect(await found()).toEqual([]);
});

test('every permission that is missing is listed before anything is written', async () => {
  const { keyWith, apply, found, needed } = await setUp();
  const { management, private: ofPrivate } = await needed();
  const lacking = management.filter((name) => name !== 'webhook:create' && name !== 'reactor:create');
  const { code, stderr } = await apply({
    TOKENCTL_MANAGEMENT_KEY: await keyWith('management', lacking),
    TOKENCTL_PRIVATE_KEY: await keyWith('private', ['token:read']),
  });
  expect(code).toBe(4);
  expect(JSON.parse(stderr).error.errors).toEqual({
    'reactor:create': ['the application ci management lacks it; needed for reactor charge'],
    'token:use': ['the application ci private lacks it; needed for reactor charge'],
    'webhook:create': ['the application ci management lacks it; needed for webhook ours'],
  });
  expect(ofPrivate).toEqual(['token:use']);
  expect(await found()).toEqual([]);
});

test('plan --permissions prints exactly what apply needs', async () => {
  const { keyWith, apply, needed } = await setUp();
  const { management, private: ofPrivate } = await needed();
  expect(management.join(' ')).toBe(
    'application:create application:read reactor:create reactor:delete reactor:read webhook:create webhook:read',
  );
  const { code, stderr } = await apply({
    TOKENCTL_MANAGEMENT_KEY: await keyWith('management', management),
    TOKENCTL_PRIVATE_KEY: await keyWith('private', ofPrivate),
  });
  expect(code, stderr).toBe(0);
});

test('keys of two tenants are refused', async () => {
  const { keys, apply, found } = await setUp();
  const other = await emulator.tenant();
  const { code, stderr } = await apply({
    TOKENCTL_MANAGEMENT_KEY: keys.management,
    TOKENCTL_PRIVATE_KEY: other.keys.private,
  });
  expect(code).toBe(2);
  expect(stderr).toContain(`belongs to the tenant ${other.tenantId}`);
  expect(await found()).toEqual([]);
});
