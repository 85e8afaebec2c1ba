import { DateTime } from 'luxon';
import type { ChangedClock, ClockChange } from '../../src/contract/control/clock.js';
import { parseDuration } from '../../src/contract/durations.js';
import type { AdjustableClock } from '../lib/clock.js';
import { validationProblem } from '../problems/problem.js';
import { nextDueItems } from '../services/due-items.js';
import { dueDeliveries } from '../services/webhooks/pending-deliveries.js';
import {
  type Control,
  type ControlHandlers,
  changeClock,
  clockOf,
  clockState,
  emitChange,
  type Scope,
  waitForDeliveries,
} from './control.js';

/** The times that the clock can be moved to: a JavaScript date with room on both sides. Milliseconds since 1970. */
const [EARLIEST, LATEST] = [Date.UTC(1970, 0), Date.UTC(9999, 0)];

export const clockHandlers = {
  'clock.get': ({ tenant }, control) => clockState(clockOf(control, tenant)),
  'clock.next': async ({ tenant }, { context }) => ({ due: await nextDueItems(context, tenant) }),
  async 'clock.change'({ tenant, body }, control) {
    if ('next' in body) return step(control, tenant, body.wait_ms);
    await changeClock(control, (clock) => applyChange(clock, body), tenant);
    return afterChange(control, tenant, body.wait_ms);
  },
} satisfies Partial<ControlHandlers>;

/** Returns the clock after it was changed, and what is due, when that was delivered. */
async function afterChange(control: Control, tenant: Scope, waitMs: number): Promise<ChangedClock> {
  const state = clockState(clockOf(control, tenant));
  emitChange(control, 'clock', tenant);
  const pending = await waitForDeliveries(() => dueDeliveries(control.context, tenant), waitMs);
  return { ...state, pending };
}

/** Moves the clock to the next time at which something becomes due. @throws ProblemError 400 when nothing does */
async function step(control: Control, tenant: Scope, waitMs: number): Promise<ChangedClock> {
  const [next, ...others] = await nextDueItems(control.context, tenant);
  if (!next)
    throw validationProblem({
      next: ['nothing becomes due: there is no expiration and no pending delivery'],
    });
  const time = Date.parse(next.at);
  await changeClock(control, (clock) => clock.set(Math.max(time, clock.now())), tenant);
  const due = [next, ...others.filter(({ at }) => at === next.at)];
  return { ...(await afterChange(control, tenant, waitMs)), due };
}

/** Changes the clock. Resolves when everything that is due has happened. */
async function applyChange(clock: AdjustableClock, change: Exclude<ClockChange, { next: true }>) {
  if ('now' in change) return clock.set(parseInstant(change.now));
  if ('advance' in change) {
    const now = clock.now();
    const time = now + (parseDuration(change.advance) ?? 0);
    return clock.advance(Math.min(Math.max(time, EARLIEST), LATEST) - now);
  }
  if ('reset' in change) return clock.reset();
  return change.frozen ? clock.freeze() : clock.resume();
}

/** Parses an ISO 8601 date-time; without an offset it is UTC. @throws ProblemError 400 */
function parseInstant(text: string): number {
  const time = DateTime.fromISO(text, { zone: 'utc' });
  if (time.isValid && time.toMillis() >= EARLIEST && time.toMillis() < LATEST) return time.toMillis();
  throw validationProblem({ now: ['must be an ISO 8601 date-time from 1970 to 9998'] });
}
