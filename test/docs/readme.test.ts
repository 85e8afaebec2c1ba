import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const section = readme.slice(readme.indexOf('## Six things people do'), readme.indexOf('## Pages'));
const [start = '', ...things] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) => code);

/** As a user's shell would have it: an empty directory, `tokenctl` on the PATH, nothing else configured. */
async function freshShell() {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-readme-'));
  const bin = join(directory, 'bin');
  await mkdir(bin);
  await symlink(join(root, 'bin/tokenctl.js'), join(bin, 'tokenctl'));
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: directory, CI: '1' };
  return { directory, env };
}

describe('the six examples of the README work when pasted', () => {
  let shell: Awaited<ReturnType<typeof freshShell>>;
  let emulator: ChildProcess;

  beforeAll(async () => {
    shell = await freshShell();
    const [, name = '', code = ''] = /```js\n\/\/ (\S+)\n([\s\S]*?)```/.exec(section) ?? [];
    await writeFile(join(shell.directory, name), code);
    emulator = spawn('bash', ['-c', `exec ${start}`], {
      cwd: shell.directory,
      env: shell.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const isReady = async () =>
      expect(await readFile(join(shell.directory, '.tokenctl/state.json'), 'utf8')).toContain('base_url');
    await vi.waitFor(isReady, PATIENCE);
  });

  afterAll(async () => {
    const ended = once(emulator, 'close');
    emulator.kill('SIGTERM');
    await ended;
    await rm(shell.directory, { recursive: true, force: true });
  });

  it('the README shows six things', () => {
    expect(things).toHaveLength(6);
  });

  it.each(things.map((code, i) => ({ n: i + 1, code })))('$n', async ({ code }) => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], {
      cwd: shell.directory,
      env: shell.env,
    });
    expect(stdout).not.toBe('');
    expect(stdout).not.toContain('4242424242424242');
  });
});
