import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE, projectDir } from '../support/executable.js';

/** The packages of this repository, test runners included. */
export const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Copies a project of this folder, and installs the package and a test runner for it. @returns its directory */
export async function kitProject(name: string, runner: string): Promise<string> {
  const directory = await projectDir({
    'package.json': '{ "type": "module" }',
    'tokenctl.yaml': 'reactors:\n  - { name: charge, code: charge.ts, configuration: {} }\n',
  });
  for (const part of [name, 'world.js', 'fails.js', 'charge.ts'])
    await cp(new URL(part, import.meta.url), join(directory, part), { recursive: true });
  await mkdir(join(directory, 'node_modules'));
  await symlink(PACKAGE, join(directory, 'node_modules/tokenctl'));
  await symlink(join(MODULES, runner), join(directory, 'node_modules', runner));
  return join(directory, name);
}
