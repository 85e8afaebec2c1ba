import { LATENCY_BOUNDS_MS } from '../../src/contract/control/latency-bounds.js';

/** Counts durations by bucket. */
export class DurationHistogram {
  /** By bucket, not cumulative; the last one holds what took longer than every bound. */
  readonly counts = new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);
  sumMs = 0;

  add(durationMs: number): void {
    const bucket = LATENCY_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
    const index = bucket < 0 ? LATENCY_BOUNDS_MS.length : bucket;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sumMs += durationMs;
  }
}
