import { STEPS } from './steps.js';
import type { ObservedResponse } from './transcript.js';
import { listLeaves } from './transcript.js';

/** A difference between the two responses to a step. */
interface Difference {
  /** `status`, or the path of a property. */
  path: string;
  emulator: string;
  remote: string;
}

/** The comparison of one step. */
export interface StepComparison {
  step: string;
  operation: string;
  /** Empty if the responses agree. */
  differences: Difference[];
}

const ABSENT = 'absent';

function findDifferences(emulator: ObservedResponse, remote: ObservedResponse): Difference[] {
  const [here, there] = [listLeaves(emulator), listLeaves(remote)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .map((path) => ({ path, emulator: here.get(path) ?? ABSENT, remote: there.get(path) ?? ABSENT }));
}

/** Compares the responses of the emulator and the remote, step by step. */
export function compareResponses(
  emulator: readonly ObservedResponse[],
  remote: readonly ObservedResponse[],
): StepComparison[] {
  return STEPS.map(({ name, operation }, i) => {
    const [here, there] = [emulator[i], remote[i]];
    return { step: name, operation, differences: here && there ? findDifferences(here, there) : [] };
  });
}
