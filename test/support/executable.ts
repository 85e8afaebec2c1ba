import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './patience.js';
import { endProcessGroup, type ProcessGroups } from './process-groups.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where `.ci/run` has what `npm pack` makes of this repository: the tarball, and node_modules/ with it unpacked. */
export const PACKED = process.env.TOKENCTL_PACKAGE;

/** The package that users install: the packed one, or this repository with its build. */
export const PACKAGE = PACKED ? join(PACKED, 'node_modules/tokenctl') : ROOT;

/** Loads a module of the package: `tokenctl/emulator`, or `./dist/emulator.cjs`. */
export const requireOfPackage = createRequire(join(PACKAGE, 'package.json'));

/** The path of the executable, which users start. */
export const EXECUTABLE = join(PACKAGE, 'bin/tokenctl.js');

const CACHE_DIR = join(ROOT, 'node_modules/.cache');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment except PATH, HOME and TMPDIR. */
  env?: Record<string, string>;
  stdin?: string;
  /** Takes what the program leaves running; without it, that ends with the program. */
  groups?: ProcessGroups;
}

/** Returns an environment without any configuration of the user who runs the tests. */
export function cleanEnvironment(cwd: string, env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    TMPDIR: tmpdir(),
    TOKENCTL_CONFIG_DIR: `${cwd}/config`,
    // Compiled code of commands: shared, and out of the directories that tests look into.
    XDG_CACHE_HOME: CACHE_DIR,
    ...env,
  };
}

/** Runs a program without a terminal and waits for its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Ran> {
  const { cwd, groups } = options;
  const env = cleanEnvironment(cwd, options.env);
  const child = spawn(program, args, { cwd, env, stdio: 'pipe', detached: true });
  const end = () => child.pid !== undefined && endProcessGroup(child.pid);
  const timer = setTimeout(end, PATIENCE_MS);
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  if (child.pid !== undefined) groups?.add(child.pid);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { ...ran, code };
  } finally {
    clearTimeout(timer);
    if (!groups) end();
  }
}

/** Runs `tokenctl` without a terminal and waits for its end. */
export function tokenctl(args: readonly string[], options: RunOptions): Promise<Ran> {
  return runProgram(process.execPath, [EXECUTABLE, ...args], options);
}
