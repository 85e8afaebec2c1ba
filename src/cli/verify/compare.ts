import { leavesOf } from './normalize.js';
import { STEPS } from './scenarios.js';
import type { Observed } from './transcript.js';

/** One thing that the two answered differently. */
export interface Difference {
  /** `status`, or the path of a property. */
  path: string;
  emulator: string;
  remote: string;
}

/** A step and where the two differ; nowhere when they agree. */
export interface Verdict {
  step: string;
  operation: string;
  differences: Difference[];
}

const ABSENT = 'absent';

function differencesOf(emulator: Observed, remote: Observed): Difference[] {
  const [here, there] = [leavesOf(emulator), leavesOf(remote)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .map((path) => ({ path, emulator: here.get(path) ?? ABSENT, remote: there.get(path) ?? ABSENT }));
}

/** Compares what the emulator and the remote answered, step by step. */
export function compare(emulator: readonly Observed[], remote: readonly Observed[]): Verdict[] {
  return STEPS.map(({ name, operation }, i) => {
    const [here, there] = [emulator[i], remote[i]];
    return { step: name, operation, differences: here && there ? differencesOf(here, there) : [] };
  });
}
