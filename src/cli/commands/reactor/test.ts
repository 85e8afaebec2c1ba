import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import pLimit from 'p-limit';
import type { Context } from '../../command.js';
import type { InspectFlags, ProjectFlags } from '../../flags/project-flags.js';
import { CliError, usageError } from '../../lib/errors.js';
import { appendJobSummary } from '../../lib/github.js';
import { countOf } from '../../lib/text.js';
import { readProject } from '../../reactors/project/project.js';
import { createTestReport } from '../../reactors/report/test-report.js';
import { runReactorTests } from '../../reactors/test/run-tests.js';
import { codePathFor, testPathFor } from '../../reactors/test/test-file.js';
import {
  allowedNetwork,
  type Inspection,
  projectOptions,
  readInspection,
} from '../shared/project-options.js';
import { formatTestAnnotations, formatTestSummary, renderTests } from './shared/test-view.js';
import { runOnChange } from './shared/watch.js';

interface TestFlags extends ProjectFlags, InspectFlags {
  file: string[];
  watch?: boolean | undefined;
  record?: boolean | undefined;
}

/** Each test file runs in an emulator of its own, to one of which a debugger can attach. */
const CONCURRENCY = 2;

async function test(
  { inspection, ...flags }: TestFlags & { inspection: Inspection | undefined },
  context: Context,
  inputs: Set<string>,
): Promise<void> {
  const { output, settings, signal } = context;
  const project = await readProject(projectOptions({ ...flags, file: flags.file.map(codePathFor) }, context));
  const { cwd, configuration, moduleAliases, warn, manifest, reactors } = project;
  if (manifest) inputs.add(manifest.path);
  const options = {
    cwd,
    configuration,
    moduleAliases,
    warn,
    headerPrefix: settings.headerPrefix ?? manifest?.content.header_prefix,
    allowNet: allowedNetwork(flags.allowNet),
    record: flags.record ?? false,
    inspection,
    signal,
  };
  const runs = await pLimit(inspection ? 1 : CONCURRENCY).map(reactors, (entry) =>
    runReactorTests(entry, options),
  );
  for (const path of runs.flatMap((one) => one.inputs)) inputs.add(path);
  const results = runs.map(({ result }) => result);
  if (results.every(({ tests }) => tests === undefined)) {
    const example = basename(reactors[0]?.code ?? 'charge.ts');
    const missing = reactors.find(({ code }) => !existsSync(code));
    if (missing) throw usageError(`${missing.code} does not exist.`);
    const detail = `No tests were found. The tests of ${example} belong in ${testPathFor(example)} next to it.`;
    // A project may have none yet; who names a file wants its tests.
    if (flags.file.length > 0)
      throw usageError(
        detail,
        'Example: { "cases": [{ "name": "…", "args": { … }, "result": { "raw": { … } } }] }',
      );
    output.notice(detail);
  }
  for (const { recorded } of results)
    if (recorded) output.notice(`Recorded ${countOf(recorded.calls, 'outbound call')} in ${recorded.file}.`);
  const report = createTestReport(results);
  const { passed, failed } = report.summary;
  await output.result(report, { redaction: 'plain', render: renderTests });
  await appendJobSummary(formatTestSummary(report), settings.env);
  for (const line of formatTestAnnotations(results, settings)) output.annotate(line);
  if (failed > 0) throw new CliError('failed', `${failed} of ${failed + passed} tests failed.`);
}

export async function run(flags: TestFlags, context: Context): Promise<void> {
  const inspection = readInspection(flags, context);
  await runOnChange(flags, (inputs) => test({ ...flags, inspection }, context, inputs), context);
}
