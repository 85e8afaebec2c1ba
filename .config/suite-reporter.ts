import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** The last known duration of `npm test`. */
const DURATION = 'About 4 minutes on two cores.';

/** Says how long the whole suite takes, and at its end which tests did not run. */
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
    if (!this.#isWholeSuite()) return;
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    console.log(`\n NOT RUN: ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'}`);
    for (const test of skipped) console.log(`   ${test.module.relativeModuleId} > ${test.fullName}`);
  }

  #isWholeSuite(): boolean {
    const filters = [this.#vitest?.filenamePattern, this.#vitest?.config.testNamePattern];
    return filters.every((filter) => filter === undefined);
  }
}
