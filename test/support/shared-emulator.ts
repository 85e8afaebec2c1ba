import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createTenant } from './call.js';
import { type Credentials, type EmulatorOptions, startEmulator } from './emulator.js';
import { type CommandLine, projectDir, type Ran, type RunOptions, tokenctl } from './executable.js';

/** The tenant of a test and the environment variables that select it. */
export interface TestTarget {
  env: Record<string, string>;
  tenantId: string;
  keys: Credentials['keys'];
}

/** An emulator that several tests share, each with a tenant of its own. */
export interface SharedEmulator {
  url: string;
  /** The key of the control endpoints. */
  controlToken: string;
  tenant(): Promise<TestTarget>;
  /** Creates a directory with these files, and a tenant for what runs there. */
  project(files?: Readonly<Record<string, string>>): Promise<TestProject>;
  close(): Promise<void>;
}

/** A directory of a test, with a tenant of its own. */
interface TestProject extends TestTarget {
  cwd: string;
  run(command: CommandLine, more?: Partial<RunOptions>): Promise<Ran>;
  write(file: string, text: string): Promise<void>;
}

/** Starts an emulator without rate limits, since all tests call it from one address. */
export async function startSharedEmulator(options: EmulatorOptions = {}): Promise<SharedEmulator> {
  const emulator = await startEmulator({ port: 0, rateLimit: false, ...options }, { warmSandbox: false });
  let count = 0;
  const tenant = async (): Promise<TestTarget> => {
    const { tenant_id, keys } = await createTenant(emulator, `Tenant ${++count}`);
    return {
      tenantId: tenant_id,
      keys,
      env: {
        TOKENCTL_BASE_URL: emulator.url,
        TOKENCTL_MANAGEMENT_KEY: keys.management,
        TOKENCTL_PRIVATE_KEY: keys.private,
      },
    };
  };
  return {
    url: emulator.url,
    controlToken: emulator.controlToken,
    tenant,
    async project(files = {}) {
      const [cwd, target] = [await projectDir(files), await tenant()];
      return {
        ...target,
        cwd,
        run: (command, { env, ...more } = {}) =>
          tokenctl(command, { cwd, ...more, env: { ...target.env, ...env } }),
        write: (file, text) => writeFile(join(cwd, file), text),
      };
    },
    close: () => emulator.close(),
  };
}

/** Provides one emulator for all tests of the file that calls it. */
export function useSharedEmulator(options: EmulatorOptions = {}): SharedEmulator {
  const shared = {} as SharedEmulator;
  beforeAll(async () => void Object.assign(shared, await startSharedEmulator(options)));
  afterAll(() => shared.close());
  return shared;
}
