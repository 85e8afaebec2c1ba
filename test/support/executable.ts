import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The path of the built executable, which users start. */
export const EXECUTABLE = fileURLToPath(new URL('../../bin/tokenctl.js', import.meta.url));

const CACHE_DIR = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** The time limit of a command in milliseconds: a prompt that waits for input fails the test early. */
const PATIENCE_MS = 20_000;

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment except PATH and HOME. */
  env?: Record<string, string>;
  stdin?: string;
}

/** Returns an environment without any configuration of the user who runs the tests. */
export function cleanEnvironment(cwd: string, env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
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
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: cleanEnvironment(options.cwd, options.env),
    stdio: 'pipe',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...ran, code };
}

/** Runs `tokenctl` without a terminal and waits for its end. */
export function tokenctl(args: readonly string[], options: RunOptions): Promise<Ran> {
  return runProgram(process.execPath, [EXECUTABLE, ...args], options);
}
