import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built executable, as users start it. */
export const EXECUTABLE = fileURLToPath(new URL('../../bin/tokenctl.js', import.meta.url));

/** No test waits longer for one command; a hanging prompt is a failure, not a long test. */
const PATIENCE_MS = 20_000;

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment, but for PATH and HOME. */
  env?: Record<string, string>;
  stdin?: string;
}

/** An environment in which nothing of the caller's configuration is found. */
export function cleanEnvironment(cwd: string, env: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: cwd, TOKENCTL_CONFIG_DIR: `${cwd}/config`, ...env };
}

/** Runs a program to its end, without a terminal. */
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

/** Runs the executable to its end, without a terminal. */
export function tokenctl(args: readonly string[], options: RunOptions): Promise<Ran> {
  return runProgram(process.execPath, [EXECUTABLE, ...args], options);
}
