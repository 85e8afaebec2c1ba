import { join } from 'node:path';
import { runProgram, words } from './executable.js';
import { ROOT } from './packed-package.js';

/** Options for files of a project that is an ES module. */
export const STRICT = words(
  '--noEmit --strict --exactOptionalPropertyTypes --types node --module nodenext --target es2023',
);

/** Lets a project outside of this repository find the types of Node.js. */
export const NODE_TYPES = ['--typeRoots', join(ROOT, 'node_modules/@types')];

/**
 * @param typescript directory of the package; by default that of this repository
 * @returns what the compiler says; nothing if all is well
 */
export async function compile(
  cwd: string,
  args: readonly string[],
  typescript = join(ROOT, 'node_modules/typescript'),
): Promise<string> {
  const line = [join(typescript, 'bin/tsc'), '--pretty', 'false', ...args];
  const { code, stdout, stderr } = await runProgram(process.execPath, line, { cwd });
  return code === 0 ? stdout : stdout + stderr || `exit ${code}`;
}
