import { dirname, resolve } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import type { Problem } from '../../../contract/problems.js';
import type { Context } from '../../command.js';
import { type InvocationResult, openReactorRunner } from '../../emulator/reactor-runner.js';
import { usageError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { failureText } from '../../output/failure.js';
import { printable } from '../../output/style.js';
import { type PrepareOptions, prepareReactor } from '../../reactors/build/prepare.js';
import type { ReactorEntry } from '../../reactors/project/manifest.js';
import { runOnChange } from '../../reactors/project/watch.js';
import { createLocalApplication } from '../../reactors/test/local-application.js';
import { readSeed } from '../shared/seeding.js';
import { type ArgumentOptions, readArguments } from './arguments.js';
import { allowedNetwork } from './shared/network.js';
import { prepareOptions, selectionOf } from './shared/project.js';
import { consoleLine } from './shared/test-view.js';

export interface RunOptions extends ArgumentOptions {
  file: string;
  config?: string[] | undefined;
  envFile?: string | undefined;
  external?: string[] | undefined;
  seed?: string | undefined;
  watch?: boolean | undefined;
  allowNet?: string[] | true | undefined;
}

async function seedOf({ seed }: RunOptions, context: Context) {
  if (seed === undefined) return { tokens: [], applications: [] };
  const { tokens, applications, reactors } = await readSeed(seed, context);
  if (reactors.length > 0)
    throw usageError('--seed of reactor run takes tokens and applications; it runs one reactor.');
  return { tokens, applications };
}

async function invoke(
  entry: ReactorEntry,
  options: RunOptions,
  prepare: PrepareOptions,
  context: Context,
): Promise<InvocationResult> {
  const reactor = await prepareReactor(entry, prepare);
  const { configuration = {} } = reactor;
  const runner = await openReactorRunner(
    {
      reactor,
      ...(await seedOf(options, context)),
      application: entry.application ? createLocalApplication() : undefined,
      allowNet: allowedNetwork(options.allowNet),
      modulesDir: entry.external.length > 0 ? dirname(entry.code) : undefined,
    },
    context.signal,
  );
  try {
    return await runner.invoke(await readArguments(options, context), configuration);
  } finally {
    await runner.close();
  }
}

/** The console goes to stderr, the response to stdout; an error answer becomes the command's failure. */
async function show(
  { status, body, console, durationMs }: InvocationResult,
  { output }: Context,
): Promise<void> {
  for (const line of console) output.notice(printable(consoleLine(line)));
  output.debug(`${status} in ${durationMs.toFixed(0)} ms`);
  if (status >= 400) throw new ServiceError(status, body as Partial<Problem> & { title: string }, undefined);
  await output.result(body, { redaction: 'reaction' });
}

export async function run(options: RunOptions, context: Context): Promise<void> {
  const { output, settings, signal } = context;
  const known = new Set<string>();
  if (options.seed !== undefined) known.add(resolve(settings.cwd, options.seed));
  const { file, ...rest } = options;
  const project = { ...rest, file: [file], allowSecrets: true };
  const once = async () => {
    const prepare = prepareOptions(project, undefined, context, (path) => known.add(path));
    const { entries } = await selectionOf(project, context);
    await show(await invoke(entries[0] as ReactorEntry, options, prepare, context), context);
  };
  if (!options.watch) return once();
  await runOnChange(async () => {
    await once().catch((error: unknown) => {
      signal.throwIfAborted();
      output.warn(failureText(toFailure(error), output.style));
    });
    output.notice(`Watching ${known.size} files …`);
    return known;
  }, signal);
}
