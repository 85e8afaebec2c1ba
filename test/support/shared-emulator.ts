import { type Credentials, type EmulatorOptions, startEmulator } from '../../emulator/index.js';
import { createTenant } from './tenants.js';

/** A tenant of a test, as the environment of a command names it. */
export interface TestTarget {
  env: Record<string, string>;
  tenantId: string;
  keys: Credentials['keys'];
}

/** An emulator that tests share, each with a tenant of its own. */
export interface SharedEmulator {
  url: string;
  /** Of its control endpoints. */
  controlToken: string;
  tenant(): Promise<TestTarget>;
  close(): Promise<void>;
}

/** Without rate limits: the tests of all tenants come from one address. */
export async function startSharedEmulator(options: EmulatorOptions = {}): Promise<SharedEmulator> {
  const emulator = await startEmulator({ port: 0, rateLimit: false, ...options });
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
