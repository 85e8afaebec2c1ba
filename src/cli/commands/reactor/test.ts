import type { Context } from '../../command.js';
import { mapConcurrently } from '../../lib/concurrency.js';
import { CliError, usageError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { failureText } from '../../output/failure.js';
import { runOnChange } from '../../reactors/project/watch.js';
import { summarizeTests, TEST_REPORT_VERSION } from '../../reactors/report/test-report.js';
import { type CaseOptions, runReactorTests } from '../../reactors/test/run-cases.js';
import { codePathOf } from '../../reactors/test/test-file.js';
import { allowedNetwork } from './shared/network.js';
import { type ProjectOptions, prepareOptions, selectionOf } from './shared/project.js';
import { annotateTests, renderTests } from './shared/test-view.js';

export interface TestOptions extends ProjectOptions {
  watch?: boolean | undefined;
  allowNet?: string[] | true | undefined;
}

const CONCURRENCY = 2;

async function testOnce(options: TestOptions, cases: CaseOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const file = options.file.map(codePathOf);
  const { entries, manifest } = await selectionOf({ ...options, file }, context);
  if (manifest) cases.prepare.onInput?.(manifest.path);
  const reactors = await mapConcurrently(entries, CONCURRENCY, (entry) => runReactorTests(entry, cases));
  if (reactors.every(({ tests }) => tests === undefined))
    throw usageError(
      'There are no tests: they lie beside the code, charge.test.json beside charge.ts.',
      'A test: { "cases": [{ "name": "…", "args": { … }, "result": { "raw": { … } } }] }',
    );
  const summary = summarizeTests(reactors);
  await output.result(
    { version: TEST_REPORT_VERSION, summary, reactors },
    { redaction: 'plain', render: renderTests },
  );
  annotateTests(reactors, settings.env, (line) => output.notice(line));
  if (summary.failed > 0)
    throw new CliError('failed', `${summary.failed} of ${summary.failed + summary.passed} tests failed.`);
}

async function testOnChange(options: TestOptions, cases: CaseOptions, known: Set<string>, context: Context) {
  const { output, signal } = context;
  await runOnChange(async () => {
    await testOnce(options, cases, context).catch((error: unknown) => {
      signal.throwIfAborted();
      if (known.size === 0) throw error;
      output.warn(failureText(toFailure(error), output.style));
    });
    output.notice(`Watching ${known.size} files …`);
    return known;
  }, signal);
}

export async function run(options: TestOptions, context: Context): Promise<void> {
  const known = new Set<string>();
  const cases: CaseOptions = {
    prepare: prepareOptions(options, undefined, context, (path) => known.add(path)),
    signal: context.signal,
    allowNet: allowedNetwork(options.allowNet),
  };
  if (options.watch) await testOnChange(options, cases, known, context);
  else await testOnce(options, cases, context);
}
