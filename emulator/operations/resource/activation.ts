import { formatTimestamp } from '../../lib/timestamps.js';
import { problem } from '../../problems/problem.js';
import type { ProxyRecord, ReactorRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';

type Activated = Pick<ReactorRecord | ProxyRecord, 'activation'>;

/** Notes in a record that is written what a fault makes of its activation; without one, it is active at once. */
export function noteActivation(
  written: object,
  { activation }: Pick<Call, 'activation'>,
  { clock }: Pick<Context, 'clock'>,
): void {
  const record: Activated = written;
  delete record.activation;
  if (!activation) return;
  const { delayMs, fails } = activation;
  record.activation = { at: formatTimestamp(clock.now() + delayMs), fails };
}

const FAILURE = {
  error_code: 'activation_failed',
  error_message: 'A fault injected into the emulator lets the activation fail.',
};

/** Returns the state of a reactor or proxy, and why it is not active. */
export function stateOf({ activation }: Activated, now: number) {
  if (activation && now < Date.parse(activation.at)) return { state: 'creating' };
  return activation?.fails ? { state: 'failed', requested: FAILURE } : { state: 'active' };
}

/** @throws ProblemError 409 */
export function assertActive(record: Activated, noun: string, { clock }: Pick<Context, 'clock'>): void {
  const { state, requested } = stateOf(record, clock.now());
  if (state === 'active') return;
  const reason = requested ? `: ${requested.error_message}` : '; it cannot be invoked before it is active.';
  throw problem('notActive', `The state of the ${noun} is ${state}${reason}`);
}
