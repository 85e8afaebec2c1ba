import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type InvocationResult,
  openReactorRunner,
  type ReactorRunner,
} from '../../emulator/reactor-runner.js';
import { toFailure } from '../../lib/failure.js';
import { type Mismatch, matchJson } from '../../lib/json-match.js';
import { type PrepareOptions, prepareReactor } from '../build/prepare.js';
import type { ReactorEntry } from '../project/manifest.js';
import { shownPath } from '../project/source-file.js';
import { toReportedError } from '../report/deploy-report.js';
import type { CaseReport, ReactorTestReport } from '../report/test-report.js';
import { createLocalApplication } from './local-application.js';
import { type ReactorTestCase, type ReactorTestFile, readTestFile, testPathOf } from './test-file.js';

const SHOWN_CHARACTERS = 300;

/** The data of a test is made up, so that what came may be shown; not at any length. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

const isSuccess = ({ status }: InvocationResult): boolean => status >= 200 && status < 300;

function compare({ result, error }: ReactorTestCase, ran: InvocationResult): Mismatch[] {
  if (error !== undefined) {
    if (isSuccess(ran))
      return [{ path: '', expected: `an error ${error.status ?? ''}`.trimEnd(), actual: ran.body }];
    return matchJson(error, { ...(ran.body as object), status: ran.status }, { partial: true });
  }
  if (!isSuccess(ran)) return [{ path: '', expected: 'a result', actual: ran.body }];
  return result === undefined ? [] : matchJson(result, ran.body, { partial: true });
}

async function runCase(
  one: ReactorTestCase,
  runner: ReactorRunner,
  base: Record<string, string>,
): Promise<CaseReport> {
  const ran = await runner.invoke(one.args, { ...base, ...one.configuration });
  const found = compare(one, ran);
  return {
    name: one.name,
    passed: found.length === 0,
    duration_ms: Math.round(ran.durationMs),
    mismatches: found.map(({ path, expected, actual }) => ({ path, expected, actual: shown(actual) })),
    ...(found.length > 0 && ran.console.length > 0 && { console: ran.console }),
  };
}

export interface CaseOptions {
  prepare: PrepareOptions;
  signal: AbortSignal;
  allowNet: readonly string[] | boolean;
}

async function runFile(
  entry: ReactorEntry,
  file: ReactorTestFile,
  { prepare, signal, allowNet }: CaseOptions,
): Promise<CaseReport[]> {
  // Test data is card numbers that belong to nobody, and the real configuration is not needed.
  const reactor = await prepareReactor({ ...entry, envFile: undefined }, { ...prepare, allowSecrets: true });
  const configuration = { ...reactor.configuration, ...file.configuration };
  const named = entry.application ? createLocalApplication() : undefined;
  const runner = await openReactorRunner(
    {
      reactor: { ...reactor, configuration },
      tokens: file.tokens ?? [],
      applications: [],
      application: file.application ?? named,
      allowNet,
      modulesDir: entry.external.length > 0 ? dirname(entry.code) : undefined,
    },
    signal,
  );
  try {
    const cases: CaseReport[] = [];
    for (const one of file.cases) cases.push(await runCase(one, runner, configuration));
    return cases;
  } finally {
    await runner.close();
  }
}

/** Runs the cases that lie beside a reactor; what keeps them from running becomes part of the report. */
export async function runReactorTests(entry: ReactorEntry, options: CaseOptions): Promise<ReactorTestReport> {
  const { cwd, onInput = () => {} } = options.prepare;
  const tests = testPathOf(entry.code);
  onInput(entry.code);
  onInput(tests);
  const report = { name: entry.name, file: shownPath(entry.code, cwd) };
  if (!existsSync(tests)) return { ...report, cases: [] };
  const found = { ...report, tests: shownPath(tests, cwd) };
  try {
    return { ...found, cases: await runFile(entry, await readTestFile(tests), options) };
  } catch (error) {
    return { ...found, cases: [], error: toReportedError(toFailure(error)) };
  }
}
