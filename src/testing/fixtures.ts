import { describeExpected } from '../client/explanations.js';
import type { RequestExpectation } from '../contract/control/request-journal.js';
import { describeFailures } from './failure-report.js';
import {
  type ClockControls,
  type Controls,
  type FaultControls,
  type RunOptions,
  startWebhookReceiver,
  type Tenant,
  type TestEmulator,
  VerificationError,
  type WebhookReceiver,
} from './index.js';

const MAX_NAME = 100;

/** What the configuration of a test runner may set. */
export interface KitOptions {
  /** Options of the emulator that the run starts, or the address of one that runs. */
  emulatorOptions: RunOptions;
}

/** What each test gets by naming it in its arguments. */
export interface TestFixtures {
  /** A tenant that only this test uses; deleted after it. */
  tenant: Tenant;
  /** Calls the service as the tenant of the test. */
  client: Tenant['client'];
  /** The clock of the tenant. */
  clock: ClockControls;
  /** Faults that hit the requests of the tenant. */
  faults: FaultControls;
  /** Receives callbacks and webhook events; closed after the test. */
  webhooks: WebhookReceiver;
}

/** Runs a test, or what remains of it, with the value of a fixture. */
type Use<T> = (value: T) => Promise<void>;

/** What a kit knows of the test that runs. */
interface RunningTest {
  name: string;
  hasFailed(): boolean;
  /** Adds a text to the report of the test. */
  attach(text: string): Promise<unknown>;
}

/**
 * Runs a test with a tenant that has its name. The report of a test that has failed says what failed in the tenant.
 * @throws {UnexpectedCallError} after a test that has not
 */
export async function useTenant(emulator: TestEmulator, test: RunningTest, use: Use<Tenant>): Promise<void> {
  const tenant = await emulator.tenants.create(test.name.slice(0, MAX_NAME) || 'test');
  try {
    await use(tenant);
    if (!test.hasFailed()) return tenant.outbound.verify();
    const text = [await describeFailures(tenant), ...tenant.outbound.missed].filter(Boolean).join('\n\n');
    if (text !== '') await test.attach(text);
  } finally {
    await tenant.delete();
  }
}

/** The fixtures that depend on nothing but the tenant, in the form that vitest and Playwright share. */
export const tenantFixtures = {
  client: ({ tenant }: { tenant: Tenant }, use: Use<Tenant['client']>) => use(tenant.client),
  clock: ({ tenant }: { tenant: Tenant }, use: Use<ClockControls>) => use(tenant.clock),
  faults: ({ tenant }: { tenant: Tenant }, use: Use<FaultControls>) => use(tenant.faults),
  // biome-ignore lint/correctness/noEmptyPattern: runners read the fixtures that a function needs from its pattern.
  webhooks: async ({}: object, use: Use<WebhookReceiver>) => {
    const receiver = await startWebhookReceiver();
    await use(receiver);
    await receiver.close();
  },
};

/** The outcome of a matcher. The message is read when the assertion fails. */
interface MatcherResult {
  pass: boolean;
  message: () => string;
}

/** The matchers that both kits add to `expect`. */
export const matchers = {
  /**
   * Asserts that a tenant, or all tenants of an emulator, received requests: `{ operation: 'tokens.create', times: 1 }`, or those of a
   * list in this order. The message names the nearest request and where it differs.
   */
  async toHaveReceived(
    receiver: Pick<Controls, 'requests'>,
    expected: RequestExpectation | readonly RequestExpectation[],
  ): Promise<MatcherResult> {
    if (!receiver?.requests) throw new TypeError('toHaveReceived needs a tenant or an emulator.');
    const [first, ...followed_by] = [expected].flat() as RequestExpectation[];
    if (!first) throw new TypeError('toHaveReceived needs at least one expectation.');
    try {
      await receiver.requests.verify(followed_by.length > 0 ? { ...first, followed_by } : first);
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return { pass: false, message: () => error.message };
    }
    const what = describeExpected(first);
    return { pass: true, message: () => `Expected other requests${what && ` of ${what}`}, but these match.` };
  },

  /**
   * Asserts that no data of the tenant's tokens appeared outside of the service: in metadata, results, consoles and errors of reactors,
   * URLs and webhook events, nor in the texts, such as what the application has logged. The message says where; values are masked.
   */
  async toHaveNoLeaks(tenant: Pick<Controls, 'leaks'>, ...texts: string[]): Promise<MatcherResult> {
    if (!tenant?.leaks) throw new TypeError('toHaveNoLeaks needs a tenant or an emulator.');
    const found = await tenant.leaks.find(...texts);
    const lines = found.map(
      ({ place, path, token_id, form, excerpt }) =>
        `  ${place}: ${path} of token ${token_id}, as ${form}: ${excerpt}`,
    );
    return {
      pass: found.length === 0,
      message: () =>
        found.length === 0
          ? 'Expected token data outside of the service, but found none.'
          : ['Token data appeared outside of the service:', ...lines].join('\n'),
    };
  },
};
