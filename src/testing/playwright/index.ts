import {
  test as base,
  expect as baseExpect,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import { type KitOptions, matchers, type TestFixtures, tenantFixtures, useTenant } from '../fixtures.js';
import { connectEmulator, type TestEmulator } from '../index.js';

/** What all tests of a worker share. */
export interface WorkerFixtures extends KitOptions {
  /** The emulator of the run, which all workers share. */
  emulator: TestEmulator;
}

export type { KitOptions, TestFixtures };

/** The `test` of Playwright, with an emulator: `test('…', async ({ page, tenant, faults }) => …)`. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<TestFixtures, WorkerFixtures>({
  ...tenantFixtures,
  emulatorOptions: [{}, { scope: 'worker', option: true }],
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a function needs from its pattern.
    async ({}, use) => {
      const emulator = await connectEmulator();
      await use(emulator);
      await emulator.close();
    },
    { scope: 'worker' },
  ],
  tenant: ({ emulator }, use, info) =>
    useTenant(
      emulator,
      {
        name: info.title,
        hasFailed: () => info.status !== info.expectedStatus,
        attach(body) {
          console.error(`\n${body}`);
          return info.attach('tokenctl', { body, contentType: 'text/plain' });
        },
      },
      use,
    ),
});

/** The `expect` of Playwright, with `toHaveReceived`. */
export const expect: Expect<typeof matchers> = baseExpect.extend(matchers);
