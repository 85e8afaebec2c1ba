/**
 * Picks how much a sweep covers: `npm test` takes the first value, `npm run test:full` the second.
 * The configuration of the full run sets TEST_WIDTH.
 */
export function width<T>(quick: T, full: T): T {
  return process.env.TEST_WIDTH === 'full' ? full : quick;
}

/** The time limit of a test in milliseconds: a minute, or half an hour for the full width. */
export const SWEEP_TIMEOUT_MS = width(60_000, 1_800_000);

/** Picks every third of a list of slow cases for `npm test`, or every nth, and all of them at full width. */
export function sampled<T>(cases: readonly T[], every = 3): T[] {
  return cases.filter((_, index) => index % width(every, 1) === 0);
}
