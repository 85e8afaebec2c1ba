import type { RequestExpectation } from '../contract/control/request-journal.js';
import { type Controls, VerificationError } from './index.js';

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
