/**
 * Upper bounds of the latency buckets, in milliseconds, about five per decade. A last bucket holds what took longer: the
 * deadline of a reactor is 210 s.
 */
export const LATENCY_BOUNDS_MS = [
  0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000,
  1_500, 2_000, 3_000, 5_000, 7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 240_000,
] as const;
