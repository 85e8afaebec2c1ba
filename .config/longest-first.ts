import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files of most seconds, the longest first. One that starts last would leave the other cores idle. */
const LONGEST = [
  // Those of `npm run test:long`; `npm test` has little of them.
  'crash/kill.test.ts',
  'fuzz/hostile-expressions.test.ts',
  'mcp/answers.test.ts',
  'tenant-config/properties.test.ts',
  'fleet/fleet.test.ts',
  'store/store-equivalence.test.ts',
  'soak/soak.test.ts',
  'fixtures/shop.test.ts',
  'package/install.test.ts',
  // Those of `npm test`.
  'scenarios/scenarios.test.ts',
  'definitions/examples.test.ts',
  'emulator/create-emulator.test.ts',
  'dashboard/workbench.test.ts',
  'data-dir/move.test.ts',
  'bulk/import.test.ts',
  'output/mask.test.ts',
  'bulk/delete.test.ts',
  'cli/emulator/shutdown.test.ts',
  'cli/failures.test.ts',
  'emulator/shared-store.test.ts',
  'store/contract.test.ts',
  'webhooks/webhook-queue.test.ts',
  'elements/elements.test.ts',
  'postgres/hanging.test.ts',
  'fixtures/http.test.ts',
  'bulk/export.test.ts',
  'idempotency/bounds.test.ts',
  'prelude/conformance.test.ts',
  'dashboard/accessibility.test.ts',
  'commands/doctor.test.ts',
  'sandbox/attacks.test.ts',
  'crash/boundaries.test.ts',
  'files/lock.test.ts',
  'sandbox/message-limits.test.ts',
  'expressions/attacks.test.ts',
  'fixtures/idioms.test.ts',
  'error-positions/error-positions.test.ts',
  'apply/deploy-failures.test.ts',
  'crash/upgrade.test.ts',
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
