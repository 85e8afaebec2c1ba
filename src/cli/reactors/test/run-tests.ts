import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import type { Problem } from '../../../contract/problems.js';
import { type ConsoleLine, openReactorRunner, type ReactorRunner } from '../../emulator/reactor-runner.js';
import { unwrap } from '../../lib/attempt.js';
import { errorLines } from '../../lib/errors.js';
import { formatActual, type Mismatch, matchJson } from '../../lib/json-match.js';
import { toFailure } from '../../lib/to-failure.js';
import { type BuildOptions, type BuiltReactor, buildReactor } from '../build/build.js';
import { describeOrigin } from '../build/code-origin.js';
import { type LocatedInvocation, locateInvocation, type SourcePosition } from '../build/source-positions.js';
import { displayPath, type SelectedReactor } from '../project/selection.js';
import { cassettePathFor } from './cassette/cassette.js';
import { createPlaceholders } from './cassette/placeholders.js';
import { type CassetteSession, openCassette } from './cassette/session.js';
import {
  createLocalApplication,
  type ReactorTestCase,
  type ReactorTestFile,
  readTestFile,
  testPathFor,
} from './test-file.js';

export interface CaseResult {
  name: string;
  passed: boolean;
  duration_ms: number;
  /** Where the response differs from the expected one. */
  mismatches: { path: string; expected: string; actual: string }[];
  console?: ConsoleLine[];
  /** Only of a failed case: frames of an error that the code threw and that sets no status, the innermost first. */
  stack?: string[];
  /** Only of a failed case: where the code threw it; otherwise the case in the test file. */
  position?: SourcePosition;
}

export interface ReactorTestResult {
  name: string;
  file: string;
  /** The test file, relative to the working directory; absent if there is none. */
  tests?: string | undefined;
  cases: CaseResult[];
  /** The cassette that was written, relative to the working directory. */
  recorded?: { file: string; calls: number } | undefined;
  error?: unknown;
}

const isSuccess = ({ status }: Pick<LocatedInvocation, 'status'>): boolean => status >= 200 && status < 300;

/** Describes an error response: its status, its detail, and messages that the detail does not contain. */
function describeProblem({ status, body }: LocatedInvocation): string {
  const { detail, errors } = toFailure(
    new ServiceError(status, body as Partial<Problem> & { title: string }, undefined),
  );
  const messages = errorLines(errors).filter((line) => !detail.includes(line.replace(/^\S*: /, '')));
  return [`${status} ${detail}`, ...messages].join('; ');
}

function compareResponse({ result, error }: ReactorTestCase, response: LocatedInvocation): Mismatch[] {
  const { status, body } = response;
  if (error !== undefined) {
    if (isSuccess(response))
      return [{ path: '', expected: `an error ${error.status ?? ''}`.trimEnd(), actual: body }];
    return matchJson(error, { ...(body as object), status }, { partial: true });
  }
  if (!isSuccess(response)) return [{ path: '', expected: 'a result', actual: describeProblem(response) }];
  return result === undefined ? [] : matchJson(result, body, { partial: true });
}

interface CaseSetup extends Pick<BuiltReactor, 'positions'> {
  configuration: Record<string, string>;
  tests: string;
  tokens: NonNullable<ReactorTestFile['tokens']>;
  cassette: CassetteSession | undefined;
}

async function runCase(
  one: ReactorTestCase,
  runner: ReactorRunner,
  { configuration: shared, positions, tests, tokens, cassette }: CaseSetup,
): Promise<CaseResult> {
  const configuration = { ...shared, ...one.configuration };
  cassette?.begin(one.name, createPlaceholders(tokens, configuration));
  const response = locateInvocation(await runner.invoke(one.args, configuration), positions);
  const mismatches = [...(cassette?.unmatched() ?? []), ...compareResponse(one, response)];
  const result = {
    name: one.name,
    passed: mismatches.length === 0,
    duration_ms: Math.round(response.durationMs),
    // Test data is not real, so that values may be shown.
    mismatches: mismatches.map((mismatch) => ({ ...mismatch, actual: formatActual(mismatch.actual) })),
  };
  if (result.passed) return result;
  const { console, stack, position } = response;
  return {
    ...result,
    ...(console.length > 0 && { console }),
    ...(position && stack.length > 0 && { stack }),
    position: position ?? { file: tests, line: one.line, column: 1 },
  };
}

interface TestOptions extends Omit<BuildOptions, 'allowSecrets' | 'loader'> {
  allowNet: readonly string[] | boolean;
  headerPrefix: string | undefined;
  /** Records the outbound calls in place of an earlier recording. */
  record: boolean;
  /** Where a debugger can attach to the code, and whether it is waited for. */
  inspection: { host: string; port: number; waits: boolean } | undefined;
}

async function runCases(
  entry: SelectedReactor,
  file: ReactorTestFile,
  { code, configuration: resolved, needsModules, runtime, positions, map }: BuiltReactor,
  { allowNet, cwd, signal, record, moduleAliases, headerPrefix, inspection }: TestOptions,
): Promise<Pick<ReactorTestResult, 'cases' | 'recorded'>> {
  const cassette = await openCassette(entry.code, record);
  const configuration = { ...resolved, ...file.configuration };
  const standIn = entry.application ? createLocalApplication() : undefined;
  const runner = await openReactorRunner(
    {
      reactor: { name: entry.name, code, configuration, runtime },
      tokens: file.tokens ?? [],
      applications: [],
      application: file.application ?? standIn,
      allowNet,
      moduleAliases,
      headerPrefix,
      interceptRequest: cassette?.interceptRequest,
      modulesDir: inspection || needsModules ? dirname(entry.code) : undefined,
      inspector: inspection && { ...inspection, findOrigin: () => describeOrigin(entry.code, map) },
    },
    signal,
  );
  try {
    const cases: CaseResult[] = [];
    const { tokens = [] } = file;
    const tests = displayPath(testPathFor(entry.code), cwd);
    const setup = { configuration, positions, tests, tokens, cassette };
    for (const one of file.cases) cases.push(await runCase(one, runner, setup));
    const calls = await cassette?.close();
    const path = displayPath(cassettePathFor(entry.code), cwd);
    return { cases, recorded: calls === undefined ? undefined : { file: path, calls } };
  } finally {
    await runner.close();
  }
}

/**
 * Runs the cases next to a reactor's code. What keeps them from running is part of the result.
 * @returns the absolute paths of `inputs` whether the files exist or not
 */
export async function runReactorTests(
  entry: SelectedReactor,
  options: TestOptions,
): Promise<{ result: ReactorTestResult; inputs: string[] }> {
  const { cwd } = options;
  const tests = testPathFor(entry.code);
  // What a run writes must not start the next one.
  const inputs = [entry.code, tests, ...(options.record ? [] : [cassettePathFor(entry.code)])];
  const result = { name: entry.name, file: displayPath(entry.code, cwd), cases: [] };
  if (!existsSync(tests)) return { result, inputs };
  const found = { ...result, tests: displayPath(tests, cwd) };
  try {
    const file = await readTestFile(tests);
    // Card numbers of test data are allowed, and the real configuration is not needed.
    const configuration = { ...options.configuration, placeholders: true };
    const buildOptions = { ...options, configuration, allowSecrets: true };
    const build = await buildReactor({ ...entry, env_file: undefined }, buildOptions);
    inputs.push(...build.inputs);
    return {
      result: { ...found, ...(await runCases(entry, file, unwrap(build.outcome), options)) },
      inputs,
    };
  } catch (error) {
    return { result: { ...found, error }, inputs };
  }
}
