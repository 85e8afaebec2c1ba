import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of ten seconds and more, the longest first. One that starts last would leave the other cores idle. */
const LONGEST = [
  'scenarios.test.ts',
  'attacks.test.ts',
  'mask.test.ts',
  'fleet.test.ts',
  'shared-store.test.ts',
  'examples.test.ts',
  'create-emulator.test.ts',
  'kill.test.ts',
  'webhook-queue.test.ts',
  'errors.test.ts',
  'conformance.test.ts',
  'boundaries.test.ts',
  'dashboard.test.ts',
  'erasure.test.ts',
  'soak.test.ts',
];

/** Starts the longest files first; vitest's own order needs the durations of an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.indexOf(basename(moduleId));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
