import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, tokenctl } from '../../../support/executable.js';
import { openTerminal } from '../../../support/terminal.js';
import { TestServer } from '../../../support/test-server.js';

/**
 * decisions.md, "Safety of people": what ends the access of the command itself, or of the last application that may manage
 * others, needs the name of the application; `--yes` is not enough.
 */

let cwd: string;
let server: TestServer;
/** The application of the management key that the commands use. */
let own: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lock-out-'));
  server = new TestServer({});
  await server.start();
  own = (await server.get('/applications/key', { as: 'management' })).body.id;
});
afterEach(async () => {
  await server.close();
  await rm(cwd, { recursive: true, force: true });
});

const environment = (key: string) => ({ TOKENCTL_BASE_URL: server.emulator.url, TOKENCTL_API_KEY: key });

const run = (args: string[], key = server.emulator.keys.management): Promise<Ran> =>
  tokenctl([...args, '-o', 'yaml'], { cwd, env: environment(key) });

const stillWorks = async () =>
  expect((await server.get('/applications/key', { as: 'management' })).status).toBe(200);

const NARROW = '{"name":"management","permissions":["tenant:read"]}';

describe('refuses without the name, and changes nothing', () => {
  test.each([
    {
      args: () => ['application', 'delete', 'management'],
      loss: 'no other application may create or change',
    },
    { args: () => ['application', 'regenerate-key', 'management'], loss: 'all stop working at once' },
    { args: () => ['application', 'key', 'delete', 'management', own], loss: 'it stops working at once' },
    {
      args: () => ['application', 'update', 'management', '--permission', 'tenant:read,application:create'],
      loss: 'then lacks application:update',
    },
    { args: () => ['api', 'DELETE', `/applications/${own}`], loss: 'stops working at once' },
    { args: () => ['api', 'DELETE', `/applications/${own}/`], loss: 'stops working at once' },
    { args: () => ['api', 'DELETE', `/applications/${own}/keys/${own}`], loss: 'it stops working at once' },
    { args: () => ['api', 'POST', `/applications/${own}/regenerate`], loss: 'all stop working at once' },
    { args: () => ['api', 'PUT', `/applications/${own}`, '--data', NARROW], loss: 'then lacks' },
  ])('$loss', async ({ args, loss }) => {
    const refused = await run([...args(), '--yes']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--confirm=management; --yes is not enough: this command uses');
    expect(refused.stderr).toContain(loss);
    expect((await run([...args(), '--confirm=Management'])).code).toBe(2);
    await stillWorks();
  });
});

test('does it with the name', async () => {
  const deleted = await run(['application', 'delete', 'management', '--confirm=management']);
  expect(deleted).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Deleted application management'),
  });
  expect((await server.get('/applications/key', { as: 'management' })).status).toBe(401);
});

test('the last application that may manage others needs its name from anyone', async () => {
  const janitor = await server.application(
    { permissions: ['application:read', 'application:delete'] },
    'management',
  );
  const refused = await run(['application', 'delete', own, '--yes'], janitor);
  expect(refused.stderr).toContain(
    '--confirm=management; --yes is not enough: no other application may create or change applications.',
  );
  await stillWorks();
  await server.application({ permissions: ['application:create'] }, 'management');
  expect((await run(['application', 'delete', own, '--yes'], janitor)).code).toBe(0);
});

test('what ends no access of its own is asked for as before', async () => {
  const { id } = (
    await server.post(
      '/applications',
      { name: 'shop', type: 'public', permissions: ['token:create'] },
      { as: 'management' },
    )
  ).body;
  const refused = await run(['application', 'regenerate-key', 'shop']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('requires --yes') });
  expect((await run(['application', 'regenerate-key', 'shop', '--yes'])).code).toBe(0);
  expect((await run(['application', 'key', 'delete', 'shop', id, '--yes'])).code).toBe(0);
  expect((await run(['application', 'update', 'management', '--name', 'admin'])).code).toBe(0);
  expect((await run(['api', 'DELETE', `/applications/${id}`])).code).toBe(2);
  expect((await run(['api', 'DELETE', `/applications/${id}`, '--yes'])).code).toBe(0);
});

test('api DELETE of the tenant needs its name, like its command', async () => {
  const path = ['api', 'DELETE', '/tenants/self'];
  expect((await run([...path, '--yes'])).code).toBe(2);
  expect((await run([...path, '--confirm=Other'])).code).toBe(2);
  await stillWorks();
  expect((await run([...path, '--confirm=Emulator'])).code).toBe(0);
});

test('asks for the name on a terminal', async () => {
  const env = environment(server.emulator.keys.management);
  const command = `"${process.execPath}" "${process.cwd()}/bin/tokenctl.js" application delete management --yes`;
  const declined = openTerminal(command, cwd, env);
  await declined.waitFor('(management)');
  declined.type('no\r');
  expect(await declined.ended()).toBe(2);
  await stillWorks();
  const agreed = openTerminal(command, cwd, env);
  await agreed.waitFor('(management)');
  agreed.type('management\r');
  expect(await agreed.ended()).toBe(0);
});
