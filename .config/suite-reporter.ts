import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** The last known duration of `npm test`. */
const DURATION = 'About 5 minutes on two cores.';

/** Says how long the whole suite takes, and at the end of a run which tests of the suite did not run, and the counts. */
export class SuiteReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(): void {
    if (this.#isWholeSuite()) console.log(` ${DURATION}\n`);
  }

  /** Skipped tests are those whose program or platform is missing; their titles say which. */
  onTestRunEnd(modules: readonly TestModule[]): void {
    const inState = (state: 'passed' | 'failed' | 'skipped') =>
      modules.flatMap((module) => [...module.children.allTests(state)]);
    const skipped = inState('skipped');
    if (this.#isWholeSuite() && skipped.length > 0) {
      console.log(`\n NOT RUN: ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'}`);
      for (const test of skipped) console.log(`   ${test.module.relativeModuleId} > ${test.fullName}`);
    }
    // A line without colors, for programs that read the log.
    console.log(
      `${inState('passed').length} passed, ${inState('failed').length} failed, ${skipped.length} skipped`,
    );
  }

  #isWholeSuite(): boolean {
    const filters = [this.#vitest?.filenamePattern, this.#vitest?.config.testNamePattern];
    return filters.every((filter) => filter === undefined);
  }
}
