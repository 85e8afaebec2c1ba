import { dirname, resolve } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import { isObject } from '../../../contract/json.js';
import type { Problem } from '../../../contract/problems.js';
import type { Context } from '../../command.js';
import { openReactorRunner } from '../../emulator/reactor-runner.js';
import type { ArgumentFlags, InspectFlags, ProjectFlags } from '../../flags/project-flags.js';
import { unwrap } from '../../lib/attempt.js';
import { usageError } from '../../lib/errors.js';
import { escapeControls } from '../../output/style.js';
import { REACTION_VIEW } from '../../output/view.js';
import { type BuiltReactor, buildReactor } from '../../reactors/build/build.js';
import { describeOrigin } from '../../reactors/build/code-origin.js';
import { type LocatedInvocation, locateInvocation } from '../../reactors/build/source-positions.js';
import { type Project, readProject } from '../../reactors/project/project.js';
import type { SelectedReactor } from '../../reactors/project/selection.js';
import { createLocalApplication } from '../../reactors/test/test-file.js';
import {
  allowedNetwork,
  type Inspection,
  projectOptions,
  readArguments,
  readInspection,
} from '../shared/project-options.js';
import { readSeed } from '../shared/seed.js';
import { formatConsoleLine } from './shared/test-view.js';
import { runOnChange } from './shared/watch.js';

interface RunFlags extends Omit<ProjectFlags, 'file'>, ArgumentFlags, InspectFlags {
  file: string;
  seed?: string | undefined;
  watch?: boolean | undefined;
}

async function readRunSeed({ seed }: RunFlags, context: Context) {
  if (seed === undefined) return { tokens: [], applications: [] };
  const { tokens, applications, reactors } = await readSeed(seed, context);
  if (reactors.length > 0)
    throw usageError('The seed file of reactor run must not contain reactors, only tokens and applications.');
  return { tokens, applications };
}

async function invoke(
  { moduleAliases, manifest }: Project,
  entry: SelectedReactor,
  reactor: BuiltReactor,
  { inspection, ...flags }: InspectedRun,
  context: Context,
): Promise<LocatedInvocation> {
  const needsNode = inspection !== undefined || reactor.needsModules;
  const runner = await openReactorRunner(
    {
      reactor,
      ...(await readRunSeed(flags, context)),
      application: entry.application ? createLocalApplication() : undefined,
      allowNet: allowedNetwork(flags.allowNet),
      moduleAliases,
      headerPrefix: context.settings.headerPrefix ?? manifest?.content.header_prefix,
      modulesDir: needsNode ? dirname(entry.code) : undefined,
      inspector: inspection && { ...inspection, findOrigin: () => describeOrigin(entry.code, reactor.map) },
    },
    context.signal,
  );
  try {
    const result = await runner.invoke(await readArguments(flags, context), reactor.configuration ?? {});
    return locateInvocation(result, reactor.positions);
  } finally {
    await runner.close();
  }
}

/** Prints the console, and the stack of an error that was not caught, on stderr and the response on stdout. */
async function printResult(
  { status, body, console, stack, position, durationMs }: LocatedInvocation,
  { output }: Context,
): Promise<void> {
  for (const line of console) output.notice(escapeControls(formatConsoleLine(line)));
  if (position && stack.length > 1)
    for (const frame of stack) output.notice(output.style.dim(`    ${escapeControls(frame)}`));
  output.debug(`${status} in ${durationMs.toFixed(0)} ms`);
  if (status >= 400) throw new ServiceError(status, body as Partial<Problem> & { title: string }, undefined);
  await output.result(body, REACTION_VIEW);
  if (output.isText && isObject(body) && isObject(body.tokens))
    output.notice('The tokens exist for this run only; a deployed reactor stores them.');
}

type InspectedRun = RunFlags & { inspection: Inspection | undefined };

async function runFile(flags: InspectedRun, context: Context, inputs: Set<string>): Promise<void> {
  const { settings, signal } = context;
  if (flags.seed !== undefined) inputs.add(resolve(settings.cwd, flags.seed));
  const options = projectOptions({ ...flags, file: [flags.file], allowSecrets: true }, context);
  const project = await readProject(options);
  const entry = project.reactors[0] as SelectedReactor;
  const build = await buildReactor(entry, { ...project, signal });
  for (const path of build.inputs) inputs.add(path);
  await printResult(await invoke(project, entry, unwrap(build.outcome), flags, context), context);
}

export async function run(flags: RunFlags, context: Context): Promise<void> {
  const inspection = readInspection(flags, context);
  await runOnChange(flags, (inputs) => runFile({ ...flags, inspection }, context, inputs), context);
}
