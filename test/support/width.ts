/**
 * Picks how much a sweep covers: `npm test` takes the first value, `npm run test:long`, which sets TEST_WIDTH, the second.
 */
export function width<T>(quick: T, long: T): T {
  return process.env.TEST_WIDTH === 'long' ? long : quick;
}

/** Picks every third of a list of slow cases for `npm test`, or every nth, and all of them for `npm run test:long`. */
export function sampled<T>(cases: readonly T[], every = 3): T[] {
  return cases.filter((_, index) => index % width(every, 1) === 0);
}
