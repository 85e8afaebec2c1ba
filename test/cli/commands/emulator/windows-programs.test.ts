import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { projectDir, runProgram } from '../../../support/executable.js';
import { ROOT } from '../../../support/packed-package.js';

test('on Windows, a command that is a script, such as npm.cmd, is run by the command processor', async () => {
  const cwd = await projectDir({
    'bin/npm.cmd': '',
    'bin/processor': '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n',
  });
  await chmod(join(cwd, 'bin/processor'), 0o755);
  const module = pathToFileURL(join(ROOT, 'src/cli/commands/emulator/temporary-emulator.ts'));
  const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { runCommand } = await import(${JSON.stringify(module)});
    const context = { signal: new AbortController().signal, settings: { cwd: ${JSON.stringify(cwd)} } };
    process.exitCode = await runCommand(['npm', 'run', 'a & b'], process.env, context);`;
  const line = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const env = { PATH: join(cwd, 'bin'), PATHEXT: '.CMD', comspec: join(cwd, 'bin/processor') };
  const { code, stdout } = await runProgram(process.execPath, line, { cwd: ROOT, env });
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 3,
    lines: ['/d', '/s', '/c', '"npm ^"run^" ^"a^ ^&^ b^""'],
  });
});
