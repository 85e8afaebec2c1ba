import { setFlagsFromString } from 'node:v8';

/**
 * Runs a WebAssembly program without V8's optimizing compiler, which takes longer than most programs run. Goal S2 with
 * `--jq`: 170 → 100 ms of processor time; a filter over 100,000 tokens takes as long as before.
 */
export async function withoutWasmOptimizer<Result>(run: () => Promise<Result>): Promise<Result> {
  setFlagsFromString('--liftoff-only');
  try {
    return await run();
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}
