import { test as base, expect, inject } from 'vitest';
import type { RequestExpectation } from '../../contract/control/request-journal.js';
import { matchers, type TestFixtures, tenantFixtures, useTenant } from '../fixtures.js';
import { connectEmulator, type TestEmulator } from '../index.js';
import type {} from './setup.js';

declare module 'vitest' {
  interface Matchers<T> {
    /** Asserts that a tenant, or all tenants of an emulator, received requests: `{ operation: 'tokens.create', times: 1 }`, or several in order. */
    toHaveReceived(expected: RequestExpectation | readonly RequestExpectation[]): Promise<void>;
    /** Asserts that no data of the tenant's tokens appeared outside of the service, nor in the texts. */
    toHaveNoLeaks(...texts: string[]): Promise<void>;
  }
}

/** What a test gets by naming it in its arguments. */
export interface Fixtures extends TestFixtures {
  /** The emulator of the run, which all tests share. */
  emulator: TestEmulator;
}

/** The `test` of vitest, with an emulator: `test('…', async ({ client, clock }) => …)`. */
export const test = base.extend<Fixtures>({
  ...tenantFixtures,
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that a function needs from its pattern.
    async ({}, use) => {
      const emulator = await connectEmulator(inject('tokenctl'));
      await use(emulator);
      await emulator.close();
    },
    { scope: 'file' },
  ],
  tenant: ({ emulator, task }, use) =>
    useTenant(
      emulator,
      {
        name: task.name,
        hasFailed: () => task.result?.state === 'fail',
        // A test that has failed takes no annotations any more: another error is what every reporter shows.
        attach: (text) => Promise.reject(Object.assign(new Error(text), { name: 'tokenctl', stack: text })),
      },
      use,
    ),
});

expect.extend(matchers);

export { expect };
