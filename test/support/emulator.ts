import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../emulator/index.js';

/** A tenant of a test, as the environment of a command names it. */
export interface TestTarget {
  env: Record<string, string>;
  tenantId: string;
  keys: { management: string; private: string; public: string };
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
  const emulator: RunningEmulator = await startEmulator({ port: 0, rateLimit: false, ...options });
  let count = 0;
  return {
    url: emulator.url,
    controlToken: emulator.controlToken,
    async tenant() {
      const response = await fetch(`${emulator.url}/_emulator/tenants`, {
        method: 'POST',
        headers: { authorization: `Bearer ${emulator.controlToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Tenant ${++count}` }),
      });
      const { tenant_id, keys } = (await response.json()) as {
        tenant_id: string;
        keys: TestTarget['keys'];
      };
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
