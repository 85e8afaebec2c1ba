import fc, { type Parameters, type RunDetails } from 'fast-check';

/** Characters of a generated case in the message of a failure. */
const SHOWN_CHARACTERS = 2_000;

/**
 * The parameters of a run. A failure names its seed and path: `FUZZ_SEED=… FUZZ_PATH=…` repeats the case alone, and without the
 * path all requests that led to it.
 */
export function fuzzParameters<Case>(requests: number): Parameters<Case> {
  const { FUZZ_PATH } = process.env;
  return { numRuns: requests, ...(FUZZ_PATH && { path: FUZZ_PATH }), reporter: throwFailure };
}

/** Throws the failure of a run, with how to repeat it. Generated data can have megabytes, of which the beginning is shown. */
function throwFailure<Case>(details: RunDetails<Case>): void {
  const { failed, seed, counterexamplePath, counterexample, errorInstance, numRuns } = details;
  if (!failed) return;
  const shown = fc.stringify(counterexample).slice(0, SHOWN_CHARACTERS);
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    `Case ${numRuns} failed. Repeat it with FUZZ_SEED=${seed} FUZZ_PATH=${counterexamplePath}\n${reason}\n${shown}`,
    { cause: errorInstance },
  );
}
