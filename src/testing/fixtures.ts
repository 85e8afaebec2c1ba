import type { RequestExpectation } from '../contract/control/request-journal.js';
import {
  type ClockControls,
  type Controls,
  type FaultControls,
  startWebhookReceiver,
  type Tenant,
  type TestEmulator,
  VerificationError,
  type WebhookReceiver,
} from './index.js';

const MAX_NAME = 100;

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

/** Runs a test with a tenant that has its name. After a test that has failed, explains the requests that were refused. */
export async function useTenant(
  emulator: TestEmulator,
  testName: string,
  use: Use<Tenant>,
  hasFailed: () => boolean,
): Promise<void> {
  const tenant = await emulator.tenants.create(testName.slice(0, MAX_NAME) || 'test');
  await use(tenant);
  if (hasFailed()) await explainRefusals(tenant);
  await tenant.delete();
}

/** The number of refused requests that are explained, the newest ones. */
const EXPLAINED = 3;
const REFUSED: readonly number[] = [401, 403];

/** Prints which permission or rule refused the last requests that were refused. */
async function explainRefusals({ requests }: Tenant): Promise<void> {
  const refused = (await requests.list()).filter(({ status }) => REFUSED.includes(status));
  const traceIds = new Set(refused.slice(-EXPLAINED).map(({ trace_id }) => trace_id));
  for (const traceId of traceIds)
    console.error(`\nRefused in this test:\n${await requests.explain(traceId)}`);
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
   * Asserts that a tenant, or all tenants of an emulator, received requests: `{ operation: 'tokens.create', times: 1 }`.
   * The message names the nearest request and where it differs.
   */
  async toHaveReceived(
    receiver: Pick<Controls, 'requests'>,
    expectation: RequestExpectation,
  ): Promise<MatcherResult> {
    if (!receiver?.requests) throw new TypeError('toHaveReceived needs a tenant or an emulator.');
    try {
      await receiver.requests.verify(expectation);
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return { pass: false, message: () => error.message };
    }
    const { operation, method, path } = expectation;
    const what = operation ?? [method, path].filter((part) => part !== undefined).join(' ');
    return { pass: true, message: () => `Expected other requests${what && ` of ${what}`}, but these match.` };
  },
};
