import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProcessEnvironment } from './process-environment.js';

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
