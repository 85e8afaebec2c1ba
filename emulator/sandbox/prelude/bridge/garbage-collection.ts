/** More than the prelude itself uses. */
const BALLAST_BYTES = 4 * 1024 * 1024;

/**
 * Makes the engine collect cyclic garbage before its memory is captured. The collector runs whenever memory has grown by half,
 * and the prelude accounts for most of its several milliseconds; the ballast triggers it now and delays the next run.
 * Goal R1: 0.15 → 0.10 ms.
 */
export function collectGarbage(): void {
  const ballast = new ArrayBuffer(BALLAST_BYTES);
  Object.create(null, { ballast: { value: ballast } });
}
