import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXECUTABLE, runProgram, scratchDir, tokenctl } from '../../support/executable.js';
import { useServer } from '../../support/test-server.js';

const hasSecretService = ['/usr/bin/dbus-run-session', '/usr/bin/gnome-keyring-daemon'].every(existsSync);

const server = useServer();
const cwd = scratchDir();

const config = async () => readFile(join(cwd, 'config', 'config.json'), 'utf8');

/** Runs commands one after the other in a session with an unlocked keyring, and returns what each printed. */
async function runInSession(...commands: string[]): Promise<string[]> {
  const script = [
    `printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1`,
    `tokenctl() { "${process.execPath}" "${EXECUTABLE}" "$@" 2>&1; echo "exit $?"; echo ----; }`,
    ...commands,
  ].join('\n');
  const { stdout } = await runProgram('dbus-run-session', ['--', 'bash', '-c', script], {
    cwd,
    env: {
      XDG_DATA_HOME: join(cwd, 'data'),
      XDG_RUNTIME_DIR: cwd,
      KEY: server.emulator.keys.management,
      URL: server.emulator.url,
    },
  });
  return stdout.split('----\n').slice(0, -1);
}

describe.skipIf(!hasSecretService)('auth login --keyring (needs dbus and gnome-keyring)', () => {
  test('stores the key in the keyring, uses it, and deletes it on logout', async () => {
    const [login, status, tenant, logout, after] = await runInSession(
      'tokenctl auth login --keyring --profile vault --base-url "$URL" <<< "$KEY"',
      'tokenctl profile show vault',
      'tokenctl tenant get --jq .name',
      'cp config/config.json stored.json',
      'tokenctl auth logout',
      'cp stored.json config/config.json; tokenctl tenant get',
    );
    expect(login).toContain('Stored the management key');
    expect(login).toContain('exit 0');
    expect(status).toContain('"keyring": [');
    expect(tenant).toMatch(/^Emulator\nexit 0/);
    expect(logout).toContain('Removed the management key from profile vault.');
    // The stored configuration still refers to the keyring, where the key is gone.
    expect(after).toContain('The keyring has no management key of the profile vault.');
    expect(after).toContain('exit 4');
    expect(await config()).not.toContain(server.emulator.keys.management);
  });

  test('a key in the file replaces the one in the keyring, and removal of the profile deletes it', async () => {
    const [, inFile, , removed] = await runInSession(
      'tokenctl auth login --keyring --profile both --base-url "$URL" <<< "$KEY"',
      'tokenctl auth login --profile both <<< "$KEY"; cp config/config.json file.json',
      'tokenctl auth login --keyring --profile both <<< "$KEY"; cp config/config.json keyring.json',
      'tokenctl profile remove both --yes',
      'cp keyring.json config/config.json',
    );
    const profile = async (file: string) => JSON.parse(await readFile(join(cwd, file), 'utf8')).profiles.both;
    expect(inFile).toContain('exit 0');
    expect(await profile('file.json')).toMatchObject({
      keys: { management: server.emulator.keys.management },
    });
    expect(await profile('file.json')).not.toHaveProperty('keyring');
    expect(await profile('keyring.json')).toMatchObject({ keys: {}, keyring: ['management'] });
    expect(removed).toContain('exit 0');
    const [gone] = await runInSession('tokenctl tenant get --profile both');
    expect(gone).toContain('The keyring has no management key of the profile both.');
  });
});

test('without a keyring, the error says what to use instead', async () => {
  const args = ['auth', 'login', '--keyring', '--profile', 'none', '--base-url', server.emulator.url];
  const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
  const { code, stderr } = await tokenctl(args, { cwd, env, stdin: server.emulator.keys.management });
  expect(code).toBe(1);
  expect(stderr).toContain('The keyring of the system cannot be used');
  expect(stderr).toContain('--key-command');
  expect(stderr).not.toContain(server.emulator.keys.management);
});
