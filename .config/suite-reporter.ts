import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** A file of which no test ran is one line. */
const titleOf = ({ module, fullName }: TestCase): string =>
  module.state() === 'skipped' ? module.relativeModuleId : `${module.relativeModuleId} > ${fullName}`;

/** Says how long the whole suite takes, and at the end of a run which tests of the suite did not run, and the counts. */
export class SuiteReporter implements Reporter {
  readonly #duration: string;
  #vitest: Vitest | undefined;

  /** @param duration the last known one, as a sentence */
  constructor(duration: string) {
    this.#duration = duration;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(): void {
    if (this.#isWholeSuite()) console.log(` ${this.#duration}\n`);
  }

  /** Skipped tests are those whose program or platform is missing, as their titles say, and those of `npm run test:long`. */
  onTestRunEnd(modules: readonly TestModule[]): void {
    const inState = (state: 'passed' | 'failed' | 'skipped') =>
      modules.flatMap((module) => [...module.children.allTests(state)]);
    const skipped = inState('skipped');
    if (this.#isWholeSuite() && skipped.length > 0) {
      console.log(`\n NOT RUN: ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'}`);
      for (const line of new Set(skipped.map(titleOf))) console.log(`   ${line}`);
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
