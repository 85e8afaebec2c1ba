import { DateTime } from 'luxon';
import type { ClockChange } from '../../src/contract/control/clock.js';
import { parseDuration } from '../../src/contract/durations.js';
import type { AdjustableClock } from '../lib/clock.js';
import { validationProblem } from '../problems/problem.js';
import { dueDeliveries } from '../services/webhooks/pending-deliveries.js';
import {
  type ControlHandlers,
  changeClock,
  clockOf,
  clockState,
  emitChange,
  waitForDeliveries,
} from './control.js';

/** The times that the clock can be moved to: a JavaScript date with room on both sides. Milliseconds since 1970. */
const [EARLIEST, LATEST] = [Date.UTC(1970, 0), Date.UTC(9999, 0)];

export const clockHandlers = {
  'clock.get': ({ tenant }, control) => clockState(clockOf(control, tenant)),
  async 'clock.change'({ tenant, body }, control) {
    await changeClock(control, (clock) => applyChange(clock, body), tenant);
    const state = clockState(clockOf(control, tenant));
    emitChange(control, 'clock', tenant);
    const pending = await waitForDeliveries(() => dueDeliveries(control.context, tenant), body.wait_ms);
    return { ...state, pending };
  },
} satisfies Partial<ControlHandlers>;

/** Changes the clock. Resolves when everything that is due has happened. */
async function applyChange(clock: AdjustableClock, change: ClockChange): Promise<void> {
  if ('now' in change) return clock.set(parseInstant(change.now));
  if ('advance' in change) return advance(clock, parseDuration(change.advance) ?? 0);
  if ('reset' in change) return clock.reset();
  return change.frozen ? clock.freeze() : clock.resume();
}

/** Parses an ISO 8601 date-time; without an offset it is UTC. @throws ProblemError 400 */
function parseInstant(text: string): number {
  const time = DateTime.fromISO(text, { zone: 'utc' });
  if (time.isValid && time.toMillis() >= EARLIEST && time.toMillis() < LATEST) return time.toMillis();
  throw validationProblem({ now: ['must be an ISO 8601 date-time from 1970 to 9998'] });
}

function advance(clock: AdjustableClock, ms: number): Promise<void> {
  const now = clock.now();
  return clock.advance(Math.min(Math.max(now + ms, EARLIEST), LATEST) - now);
}
