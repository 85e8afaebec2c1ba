import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';

test('a push that the remote refuses is not repeated', async () => {
  const cwd = await projectDir({
    'tokenctl.yaml': 'tenant: { name: shop }\n',
    'tokenctl.lock.json': '{}\n',
    'remote/.keep': '',
  });
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  git('init', '--quiet', '--bare', 'remote');
  git('init', '--quiet', '--initial-branch', 'main');
  git(
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.com',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'start',
  );
  git('remote', 'add', 'origin', join(cwd, 'remote'));
  git('push', '--quiet', 'origin', 'main');
  const tries = join(cwd, 'tries');
  writeFileSync(join(cwd, 'remote/hooks/pre-receive'), `#!/bin/sh\necho x >> '${tries}'\nexit 1\n`);
  chmodSync(join(cwd, 'remote/hooks/pre-receive'), 0o755);
  const pushed = await tokenctl(['lock', 'push', '--branch', 'main'], { cwd });
  expect(pushed).toMatchObject({ code: 1, stderr: expect.stringContaining('pre-receive hook declined') });
  expect(readFileSync(tries, 'utf8')).toBe('x\n');
});
