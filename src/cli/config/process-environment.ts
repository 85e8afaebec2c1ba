import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';

const [STDIN, STDOUT, STDERR] = [0, 1, 2] as const;

/** The environment of the process. Commands get it as settings. */
export interface ProcessEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  home: string;
  /** Which streams are terminals, and the width of stdout if it is one that knows it. */
  terminal: { stdin: boolean; stdout: boolean; stderr: boolean; columns?: number | undefined };
}

/** Reads the environment. The streams themselves are opened when they are needed: goal S2. */
export function readProcessEnvironment(): ProcessEnvironment {
  const { env, platform } = process;
  const stdout = isatty(STDOUT);
  return {
    env,
    platform,
    cwd: process.cwd(),
    home: homedir(),
    terminal: {
      stdin: isatty(STDIN),
      stdout,
      stderr: isatty(STDERR),
      columns: (stdout && process.stdout.columns) || undefined,
    },
  };
}

export const DATA_DIR_NAME = '.tokenctl';
export const STATE_FILE_NAME = 'state.json';
export const PROJECT_FILE_NAMES = ['tokenctl.json', 'tokenctl.yaml', 'tokenctl.yml'];

export function resolveConfigDir({ env, platform, home }: ProcessEnvironment): string {
  if (env.TOKENCTL_CONFIG_DIR) return env.TOKENCTL_CONFIG_DIR;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'tokenctl');
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'tokenctl');
  return join(home, '.config', 'tokenctl');
}

/** Finds the first of these names that is accepted in a directory or its nearest parent. */
export function findUpwards(
  start: string,
  names: readonly string[],
  accept: (path: string) => boolean = existsSync,
): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    for (const name of names) {
      const path = join(directory, name);
      if (accept(path)) return path;
    }
    if (directory === dirname(directory)) return undefined;
  }
}
