import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Ran, runProgram } from '../../support/executable.js';
import { copyInstall } from '../../support/install-copy.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** An installed package whose build has stored no code for this version of Node.js. */
let install: string;

beforeAll(async () => {
  install = await copyInstall();
  await rm(join(install, 'dist/cache'), { recursive: true });
});

afterAll(() => rm(install, { recursive: true }));

let homes = 0;

async function createHome(): Promise<string> {
  const home = join(install, `home-${++homes}`);
  await mkdir(home);
  return home;
}

/** Runs a command of the install. */
function run(home: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const executable = join(install, 'bin/tokenctl.js');
  return runProgram(process.execPath, [executable, ...args], {
    cwd: home,
    env: { XDG_CACHE_HOME: '', ...env },
  });
}

/** Prints the version; fails unless that works. */
async function printVersion(home: string, env: Record<string, string> = {}): Promise<void> {
  const ran = await run(home, ['--version'], env);
  expect(ran).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
}

/** The file with the compiled start of the CLI. */
async function cacheFile(home: string): Promise<string> {
  const [build = ''] = await readdir(join(home, '.cache/tokenctl'));
  return join(home, '.cache/tokenctl', build, 'start.cjs.cache');
}

describe('the code cache of the user', () => {
  test('is written by the first start, for the user only, and left alone by the second', async () => {
    const home = await createHome();
    await printVersion(home);
    const path = await cacheFile(home);
    const first = await stat(path);
    expect(first.mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    await printVersion(home);
    expect((await stat(path)).mtimeMs).toBe(first.mtimeMs);
  });

  test('that a command with --jq writes, with its compiler options, is not rejected by others', async () => {
    const home = await createHome();
    expect(await run(home, ['profile', 'list', '--jq', '.data | length'])).toMatchObject({
      code: 0,
      stdout: '0\n',
    });
    const inode = () =>
      cacheFile(home)
        .then(stat)
        .then(
          ({ ino }) => ino,
          () => undefined,
        );
    const afterFilter = await inode();
    await printVersion(home);
    const afterVersion = await inode();
    expect(afterVersion).toBeDefined();
    // With Node.js 20 the command with --jq stores nothing.
    expect([undefined, afterVersion]).toContain(afterFilter);
    await printVersion(home);
    expect(await inode()).toBe(afterVersion);
  });

  test('is replaced when V8 rejects it', async () => {
    const home = await createHome();
    await printVersion(home);
    const path = await cacheFile(home);
    const good = (await readFile(path)).length;
    await writeFile(path, Buffer.alloc(good));
    await printVersion(home);
    expect((await readFile(path)).some((byte) => byte !== 0)).toBe(true);
  });

  test.skipIf(process.platform === 'win32')('is not believed when others can write it', async () => {
    const home = await createHome();
    await printVersion(home);
    const path = await cacheFile(home);
    const { ino } = await stat(path);
    await chmod(path, 0o666);
    await printVersion(home);
    // A start that has compiled again has replaced the file.
    expect((await stat(path)).ino).not.toBe(ino);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('is left out when its directory cannot be created', async () => {
    const home = await createHome();
    await writeFile(join(home, '.cache'), '');
    await printVersion(home);
  });

  test.skipIf(process.platform !== 'linux')('is left out when its directory would be below /proc', () =>
    printVersion(install, { HOME: '/proc/home' }),
  );

  test('is left out without a home directory', () => printVersion(install, { HOME: '' }));

  test.each([{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_OPTIONS: '--max-old-space-size=512' }])(
    'is not written with %o',
    async (env) => {
      const home = await createHome();
      await printVersion(home, env);
      expect(await readdir(home)).toEqual([]);
    },
  );
});

test('a build stores the code of typical commands and of a sandbox thread for its version of Node.js', async () => {
  const directory = join(ROOT, 'dist/cache', `${process.version}-${process.platform}-${process.arch}`);
  expect(await readdir(directory)).toEqual(
    expect.arrayContaining([
      'start.cjs.cache',
      'shared.cjs.cache',
      'emulator.cjs.cache',
      'cli-commands-token-get.cjs.cache',
      'sandbox-thread.cjs.cache',
    ]),
  );
});
