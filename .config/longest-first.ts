import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files of most seconds, the longest first. One that starts last would leave the other cores idle. */
const LONGEST = [
  'scenarios/scenarios.test.ts',
  'sandbox/attacks.test.ts',
  'expressions/attacks.test.ts',
  'dashboard/workbench.test.ts',
  'definitions/examples.test.ts',
  'output/mask.test.ts',
  'fleet/fleet.test.ts',
  'emulator/create-emulator.test.ts',
  'emulator/shared-store.test.ts',
  'scaffold/pipeline.test.ts',
  'cli/emulator/shutdown.test.ts',
  'postgres/postgres-store.test.ts',
  'fixtures/shop.test.ts',
  'bulk/import.test.ts',
  'webhooks/webhook-queue.test.ts',
  'dashboard/accessibility.test.ts',
  'prelude/conformance.test.ts',
  'bulk/delete.test.ts',
  'data-dir/move.test.ts',
  'fixtures/http.test.ts',
  'reactors/errors.test.ts',
  'crash/boundaries.test.ts',
  'tenant-config/properties.test.ts',
  'store/contract.test.ts',
  'bulk/export.test.ts',
  'fixtures/idioms.test.ts',
  'cli/failures.test.ts',
  'sandbox/sandbox.test.ts',
  'elements/elements.test.ts',
  'files/lock.test.ts',
  'fuzz/hostile-expressions.test.ts',
];

/** Starts the longest files first; vitest's own order needs the durations of an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
