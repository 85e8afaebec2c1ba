import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../../support/executable.js';
import { commit } from '../../../support/project-repository.js';

test('a push that the remote refuses is not repeated', async () => {
  const [cwd, remote] = [
    await projectDir({ 'tokenctl.yaml': 'tenant: { name: shop }\n' }),
    await projectDir({}),
  ];
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  git('init', '--quiet', '--bare', remote);
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', remote);
  await commit(cwd, 'start');
  const [hook, tries] = [join(remote, 'hooks/pre-receive'), join(remote, 'tries')];
  await writeFile(hook, `#!/bin/sh\necho x >> '${tries}'\nexit 1\n`);
  await chmod(hook, 0o755);
  await writeFile(join(cwd, 'tokenctl.lock.json'), '{}\n');
  const pushed = await tokenctl(['lock', 'push', '--branch', 'main'], { cwd });
  expect(pushed).toMatchObject({ code: 1, stderr: expect.stringContaining('pre-receive hook declined') });
  expect(await readFile(tries, 'utf8')).toBe('x\n');
});
