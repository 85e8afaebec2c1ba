import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type InvocationResult,
  openReactorRunner,
  type ReactorRunner,
} from '../../emulator/reactor-runner.js';
import { unwrap } from '../../lib/attempt.js';
import { type Mismatch, matchJson } from '../../lib/json-match.js';
import { type BuildOptions, buildReactor } from '../build/build.js';
import type { SelectedReactor } from '../project/selection.js';
import { displayPath } from '../project/source-file.js';
import { createLocalApplication } from './local-application.js';
import { type ReactorTestCase, type ReactorTestFile, readTestFile, testPathFor } from './test-file.js';
import type { CaseResult, ReactorTestResult } from './test-result.js';

const MAX_VALUE_CHARACTERS = 300;

/** Formats a value of a response. It may be shown because test data is not real. */
function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}

const isSuccess = ({ status }: InvocationResult): boolean => status >= 200 && status < 300;

function compareResponse({ result, error }: ReactorTestCase, response: InvocationResult): Mismatch[] {
  const { status, body } = response;
  if (error !== undefined) {
    if (isSuccess(response))
      return [{ path: '', expected: `an error ${error.status ?? ''}`.trimEnd(), actual: body }];
    return matchJson(error, { ...(body as object), status }, { partial: true });
  }
  if (!isSuccess(response)) return [{ path: '', expected: 'a result', actual: body }];
  return result === undefined ? [] : matchJson(result, body, { partial: true });
}

async function runCase(
  one: ReactorTestCase,
  runner: ReactorRunner,
  configuration: Record<string, string>,
): Promise<CaseResult> {
  const response = await runner.invoke(one.args, { ...configuration, ...one.configuration });
  const mismatches = compareResponse(one, response);
  return {
    name: one.name,
    passed: mismatches.length === 0,
    durationMs: response.durationMs,
    mismatches: mismatches.map((mismatch) => ({ ...mismatch, actual: formatValue(mismatch.actual) })),
    console: response.console,
  };
}

export interface TestOptions extends Omit<BuildOptions, 'allowSecrets' | 'loader'> {
  /** Hosts that the code may reach; true for any, false for this machine only. */
  allowNet: readonly string[] | boolean;
}

async function runCases(
  entry: SelectedReactor,
  file: ReactorTestFile,
  { code, configuration: resolved }: { code: string; configuration: Record<string, string> | undefined },
  { allowNet, signal }: TestOptions,
): Promise<CaseResult[]> {
  const configuration = { ...resolved, ...file.configuration };
  const standIn = entry.application ? createLocalApplication() : undefined;
  const runner = await openReactorRunner(
    {
      reactor: { name: entry.name, code, configuration },
      tokens: file.tokens ?? [],
      applications: [],
      application: file.application ?? standIn,
      allowNet,
      modulesDir: entry.external.length > 0 ? dirname(entry.code) : undefined,
    },
    signal,
  );
  try {
    const results: CaseResult[] = [];
    for (const one of file.cases) results.push(await runCase(one, runner, configuration));
    return results;
  } finally {
    await runner.close();
  }
}

/** The result of a reactor's tests, and the files that it depends on. */
export interface ReactorTestRun {
  result: ReactorTestResult;
  /** Absolute paths, whether the files exist or not. */
  inputs: string[];
}

/** Runs the cases next to a reactor's code. What keeps them from running is part of the result. */
export async function runReactorTests(entry: SelectedReactor, options: TestOptions): Promise<ReactorTestRun> {
  const { cwd } = options;
  const tests = testPathFor(entry.code);
  const inputs = [entry.code, tests];
  const result = { name: entry.name, file: displayPath(entry.code, cwd), cases: [] };
  if (!existsSync(tests)) return { result, inputs };
  const found = { ...result, tests: displayPath(tests, cwd) };
  try {
    const file = await readTestFile(tests);
    // Card numbers of test data are allowed, and the real configuration is not needed.
    const buildOptions = { ...options, allowSecrets: true };
    const build = await buildReactor({ ...entry, envFile: undefined }, buildOptions);
    inputs.push(...build.inputs);
    return {
      result: { ...found, cases: await runCases(entry, file, unwrap(build.outcome), options) },
      inputs,
    };
  } catch (error) {
    return { result: { ...found, error }, inputs };
  }
}
