/**
 * Picks how much a sweep covers: `npm test` and `npm run test:all` take the first value, `npm run test:long` the second.
 */
export function width<T>(quick: T, long: T): T {
  return process.env.TEST_WIDTH === 'long' ? long : quick;
}

/** Picks every third of a list of slow cases, or every nth; `npm run test:long` takes all of them. */
export function sampled<T>(cases: readonly T[], every = 3): T[] {
  return cases.filter((_, index) => index % width(every, 1) === 0);
}
