import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PACKAGE, requireOfPackage, runProgram } from '../support/executable.js';

let directory: string | undefined;

afterEach(async () => {
  if (directory) await rm(directory, { recursive: true });
});

/** Installs the package as pnpm does: esbuild is a link, and its binary is only beside what the link names. */
async function installWithLinkedEsbuild(): Promise<string> {
  directory = await mkdtemp(join(tmpdir(), 'tokenctl-linked-'));
  const modules = join(directory, 'node_modules');
  await mkdir(modules);
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(PACKAGE, part), join(modules, 'tokenctl', part), {
      recursive: true,
      filter: (path) => !path.endsWith('/types'),
    });
  const esbuild = await realpath(dirname(requireOfPackage.resolve('esbuild/package.json')));
  await symlink(esbuild, join(modules, 'esbuild'));
  return directory;
}

test('reactors are built with an esbuild that is a link', async () => {
  const cwd = await installWithLinkedEsbuild();
  await writeFile(join(cwd, 'greet.ts'), 'export = async ({ args }) => ({ raw: { hello: args.name } });\n');
  const executable = join(cwd, 'node_modules/tokenctl/bin/tokenctl.js');
  const run = ['reactor', 'run', 'greet.ts', '--arg', 'name=Ada', '--jq', '.raw.hello'];
  expect(await runProgram(executable, run, { cwd })).toEqual({ code: 0, stdout: 'Ada\n', stderr: '' });
});
