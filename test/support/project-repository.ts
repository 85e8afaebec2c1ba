import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTABLE, runProgram, tokenctl } from './executable.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program. @throws {Error} if it fails */
export async function must(cwd: string, ...command: [string, ...string[]]): Promise<string> {
  const [program, ...args] = command;
  const ran = await runProgram(program, args, { cwd });
  if (ran.code !== 0) throw new Error(`${command.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}

/** Packages of the registry, replaced by directories so that `npm ci` needs no network. */
async function createPackages(directory: string): Promise<void> {
  const packages = {
    tokenctl: { bin: { tokenctl: 'bin.js' }, 'bin.js': `import(${JSON.stringify(EXECUTABLE)});\n` },
    typescript: {
      bin: { tsc: 'bin.js' },
      'bin.js': `require(${JSON.stringify(join(root, 'node_modules/typescript/bin/tsc'))});\n`,
    },
    '@types/node': {
      types: 'index.d.ts',
      'index.d.ts': `/// <reference path=${JSON.stringify(join(root, 'node_modules/@types/node/index.d.ts'))} />\n`,
    },
    'last-digits': {
      main: 'index.js',
      'index.js': 'exports.lastDigits = (text, count) => text.slice(-count);\n',
      types: 'index.d.ts',
      'index.d.ts': 'export function lastDigits(text: string, count: number): string;\n',
    },
  };
  for (const [name, { 'bin.js': bin, 'index.js': index, 'index.d.ts': types, ...manifest }] of Object.entries<
    Record<string, unknown>
  >(packages)) {
    await mkdir(join(directory, name), { recursive: true });
    const files = {
      'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }),
      'bin.js': bin,
      'index.js': index,
      'index.d.ts': types,
    };
    for (const [file, text] of Object.entries(files))
      if (text !== undefined)
        await writeFile(
          join(directory, name, file),
          `${file === 'bin.js' ? '#!/usr/bin/env node\n' : ''}${text}`,
          { mode: 0o755 },
        );
  }
}

/**
 * Creates the repository of the project with three environments in fixtures, completed by `init`.
 * @param directory gets `origin.git`, and the clone `project`
 */
export async function createOrigin(directory: string): Promise<void> {
  await createPackages(join(directory, 'packages'));
  const project = join(directory, 'project');
  await must(directory, 'git', 'init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  await must(directory, 'git', 'clone', '--quiet', 'origin.git', 'project');
  await must(project, 'git', 'checkout', '--quiet', '-B', 'main');
  await cp(join(root, 'fixtures/three-environments'), project, { recursive: true });
  await tokenctl(['init'], { cwd: project });
  const local = (name: string) => `file:../packages/${name}`;
  const packages = {
    private: true,
    scripts: { integration: 'tokenctl reactor get charge --jq .application.id' },
    dependencies: { 'last-digits': local('last-digits') },
    devDependencies: Object.fromEntries(
      ['tokenctl', 'typescript', '@types/node'].map((name) => [name, local(name)]),
    ),
  };
  await writeFile(join(project, 'package.json'), JSON.stringify(packages));
  await must(project, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts');
  await commit(project, 'Create the project');
}

export async function commit(project: string, message: string): Promise<void> {
  await must(project, 'git', 'add', '--all');
  const as = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  await must(project, 'git', ...as, 'commit', '--quiet', '--message', message);
  await must(project, 'git', 'push', '--quiet', 'origin', 'main');
}

/** Checks out a commit as a runner does. */
export async function freshClone(directory: string, revision: string): Promise<string> {
  const name = `clone-${Math.random().toString(36).slice(2)}`;
  await must(directory, 'git', 'clone', '--quiet', 'origin.git', name);
  await must(join(directory, name), 'git', 'checkout', '--quiet', '-B', 'main', revision);
  return join(directory, name);
}
