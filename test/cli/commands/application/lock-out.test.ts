import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { EXECUTABLE, projectDir, tokenctl } from '../../../support/executable.js';
import { openTerminal } from '../../../support/terminal.js';
import { TestServer } from '../../../support/test-server.js';

/**
 * decisions.md, "Safety of people": what ends the access of the command itself, or of the last application that may manage
 * others, needs the name of the application; `--yes` is not enough. Nobody is told to use a key that does not work.
 */

let cwd: string;
let server: TestServer;
/** The application of the management key that the commands use. */
let own: string;

async function start(dataDir?: string): Promise<TestServer> {
  const started = new TestServer(dataDir === undefined ? {} : { dataDir });
  await started.start();
  onTestFinished(() => started.close());
  return started;
}

beforeEach(async () => {
  cwd = await projectDir({});
  server = await start();
  own = (await server.get('/applications/key', { as: 'management' })).body.id;
});

const environment = (key: string) => ({ TOKENCTL_BASE_URL: server.emulator.url, TOKENCTL_API_KEY: key });

const run = (line: string, key = server.emulator.keys.management) =>
  tokenctl(`${line} -o yaml`, { cwd, env: environment(key) });

const codeOf = async (line: string, key?: string) => (await run(line, key)).code;

const stillWorks = async () =>
  expect((await server.get('/applications/key', { as: 'management' })).status).toBe(200);

test.each([
  ['application delete management', 'no other application may create or change'],
  ['application regenerate-key management', 'all stop working at once'],
  ['application key delete management OWN', 'it stops working at once'],
  ['application update management --permission tenant:read,application:create', 'lacks application:update'],
  ['api DELETE /applications/OWN', 'stops working at once'],
  ['api DELETE /applications/OWN/', 'stops working at once'],
  ['api DELETE /applications/OWN/keys/OWN', 'it stops working at once'],
  ['api POST /applications/OWN/regenerate', 'all stop working at once'],
  [`api PUT /applications/OWN --data '{"name":"management","permissions":["tenant:read"]}'`, 'then lacks'],
])('refuses without the name, and changes nothing: %s', async (line, loss) => {
  const command = line.replaceAll('OWN', own);
  const refused = await run(`${command} --yes`);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--confirm=management; --yes is not enough: this command uses');
  expect(refused.stderr).toContain(loss);
  expect(await codeOf(`${command} --confirm=Management`)).toBe(2);
  await stillWorks();
});

test('the name deletes the application of the key in use', async () => {
  expect(await run('application delete management --confirm=management')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Deleted application management'),
  });
  expect((await server.get('/applications/key', { as: 'management' })).status).toBe(401);
});

test('the last application that may manage others needs its name from anyone', async () => {
  const permissions = ['application:read', 'application:delete'];
  const janitor = await server.application({ permissions }, 'management');
  expect((await run(`application delete ${own} --yes`, janitor)).stderr).toContain(
    '--confirm=management; --yes is not enough: no other application may create or change applications.',
  );
  await stillWorks();
  await server.application({ permissions: ['application:create'] }, 'management');
  expect(await codeOf(`application delete ${own} --yes`, janitor)).toBe(0);
});

test('what does not end the access of the command needs --yes only', async () => {
  const shop = { name: 'shop', type: 'public', permissions: ['token:create'] };
  const { id } = (await server.post('/applications', shop, { as: 'management' })).body;
  expect(await run('application regenerate-key shop')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('requires --yes'),
  });
  expect(await codeOf(`api DELETE /applications/${id}`)).toBe(2);
  for (const line of [
    'application regenerate-key shop --yes',
    `application key delete shop ${id} --yes`,
    'application update management --name admin',
    `api DELETE /applications/${id} --yes`,
  ])
    expect([line, await codeOf(line)]).toEqual([line, 0]);
});

test('api DELETE of the tenant needs its name, like its command', async () => {
  for (const flag of ['--yes', '--confirm=Other'])
    expect(await codeOf(`api DELETE /tenants/self ${flag}`)).toBe(2);
  await stillWorks();
  expect(await codeOf('api DELETE /tenants/self --confirm=Emulator')).toBe(0);
});

test.each([
  ['no', 2, 200],
  ['management', 0, 401],
])('on a terminal the name is asked for; the answer "%s" exits %i', async (answer, code, status) => {
  const command = `"${process.execPath}" "${EXECUTABLE}" application delete management --yes`;
  const terminal = openTerminal(command, cwd, environment(server.emulator.keys.management));
  await terminal.waitFor('(management)');
  terminal.type(`${answer}\r`);
  expect(await terminal.ended()).toBe(code);
  expect((await server.get('/applications/key', { as: 'management' })).status).toBe(status);
});

test('after the management key was deleted, every command says how to get one, and that works', async () => {
  const advice = expect.stringContaining('tokenctl emulator stop, then: tokenctl emulator start');
  const local = (line: string) => tokenctl(`${line} -o yaml`, { cwd });
  const first = await start(join(cwd, '.tokenctl'));
  const { management, private: privateKey } = first.emulator.keys;
  expect((await local('application delete management --confirm=management')).code).toBe(0);
  const keys = await local('emulator keys');
  expect(keys.stdout).not.toContain(management);
  expect(keys.stdout).toContain(privateKey);
  expect(keys.stderr).toContain('The management key was deleted or has expired.');
  const doctor = await local('doctor');
  expect([doctor.code, doctor.stdout.replaceAll(/\s+/g, ' ')]).toEqual([4, advice]);
  expect(await local('application list')).toMatchObject({ code: 4, stderr: advice });
  await first.close();
  await start(join(cwd, '.tokenctl'));
  for (const line of ['application list', 'doctor']) expect((await local(line)).code).toBe(0);
  expect((await local('emulator keys')).stderr).toBe('');
});
