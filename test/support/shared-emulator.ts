import { type Credentials, type EmulatorOptions, startEmulator } from './emulator.js';
import { createTenant } from './tenants.js';

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
  close(): Promise<void>;
}

/** Starts an emulator without rate limits, since all tests call it from one address. */
export async function startSharedEmulator(options: EmulatorOptions = {}): Promise<SharedEmulator> {
  const emulator = await startEmulator({ port: 0, rateLimit: false, ...options }, { warmSandbox: false });
  let count = 0;
  return {
    url: emulator.url,
    controlToken: emulator.controlToken,
    async tenant() {
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
    },
    close: () => emulator.close(),
  };
}
