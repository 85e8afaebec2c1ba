/** More than the prelude itself uses. */
const BALLAST_BYTES = 4 * 1024 * 1024;

/**
 * Makes the engine collect cyclic garbage while the instance starts. The collector runs whenever memory has grown by half, and
 * the prelude accounts for most of its several milliseconds; the ballast triggers it now and delays the next run.
 * Goal R1: 0.15 → 0.10 ms. Goal R2, nothing prepared: 150 → 125 ms.
 */
export function collectGarbage(): void {
  const ballast = new ArrayBuffer(BALLAST_BYTES);
  Object.create(null, { ballast: { value: ballast } });
}
