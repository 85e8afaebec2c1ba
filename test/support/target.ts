import { join } from 'node:path';
import { resolveKeys } from '../../src/cli/config/keys.js';
import type { ProcessEnvironment } from '../../src/cli/config/process-environment.js';
import { readSettings } from '../../src/cli/config/settings.js';
import { resolveTarget } from '../../src/cli/config/target.js';
import type { GlobalOptions } from '../../src/cli/flags/globals.js';
import { projectDir } from './executable.js';

export const DEV = {
  base_url: 'https://dev.example',
  keys: { management: 'dev-management', private: 'dev-private' },
};
export const PROD = {
  base_url: 'https://prod.example',
  header_prefix: 'ACME',
  keys: { private: 'prod-private' },
};

export const USER_CONFIG = JSON.stringify({ current: 'prod', profiles: { dev: DEV, prod: PROD } });

/** The state file of an emulator that runs: in this process. */
export const STATE = JSON.stringify({
  base_url: 'http://127.0.0.1:8787',
  pid: process.pid,
  keys: { management: 'm', private: 'p', public: 'u' },
  data_dir: '/data',
  control_token: 'secret',
  tenants: [],
});

export interface TargetSetup {
  options?: GlobalOptions;
  env?: Record<string, string>;
  files?: Record<string, string>;
}

/** Reads the settings of a command in a directory with these files. */
export async function settingsOf({ options = {}, env = {}, files = {} }: TargetSetup) {
  const cwd = await projectDir(files);
  const environment: ProcessEnvironment = {
    cwd,
    env: { TOKENCTL_CONFIG_DIR: join(cwd, 'config'), ...env },
    home: cwd,
    platform: 'linux',
    terminal: { stdin: false, stdout: false, stderr: false, columns: undefined },
  };
  return readSettings(options, environment);
}

/** Resolves the target of such a command, and the keys for it. */
export async function resolve(setup: TargetSetup) {
  const settings = await settingsOf(setup);
  const target = await resolveTarget(settings);
  return { ...target, keys: await resolveKeys(settings, target) };
}

/** Two profiles, and an emulator that runs. */
export const FILES = { 'config/config.json': USER_CONFIG, '.tokenctl/state.json': STATE };
