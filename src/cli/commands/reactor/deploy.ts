import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { createReactorLoader, type ReactorLoader } from '../../emulator/reactor-loader.js';
import { usageError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { failureText } from '../../output/failure.js';
import { runDeployment } from '../../reactors/apply/deployment.js';
import type { SmokeTest } from '../../reactors/apply/smoke.js';
import { prepareReactor } from '../../reactors/build/prepare.js';
import { findOrphans } from '../../reactors/plan/prune.js';
import { type CreatedReactor, LockFile } from '../../reactors/project/lock-file.js';
import type { Selection } from '../../reactors/project/select.js';
import { shownPath } from '../../reactors/project/source-file.js';
import { runOnChange } from '../../reactors/project/watch.js';
import { confirmDeletion } from '../shared/confirm.js';
import { readJson } from '../shared/input.js';
import { concurrencyOf, type ProjectOptions, prepareOptions, selectionOf } from './shared/project.js';
import { announce, finish } from './shared/report.js';

export interface DeployCommandOptions extends ProjectOptions {
  dryRun?: boolean | undefined;
  prune?: boolean | undefined;
  yes?: boolean | undefined;
  watch?: boolean | undefined;
  smoke?: string | undefined;
  expect?: string | undefined;
}

function isArguments(value: unknown): value is SmokeTest['args'] {
  return typeof value === 'string' || isObject(value);
}

async function smokeTestOf(options: DeployCommandOptions, context: Context): Promise<SmokeTest | undefined> {
  const { smoke, expect } = options;
  if (smoke === undefined) {
    if (expect !== undefined) throw usageError('--expect needs --smoke, whose result it describes.');
    return undefined;
  }
  const args = await readJson(smoke, '--smoke', context);
  if (!isArguments(args)) throw usageError('--smoke must be a JSON object: the arguments of the reactor.');
  return expect === undefined ? { args } : { args, expect: await readJson(expect, '--expect', context) };
}

/** What `--prune` will delete, once whoever runs it has agreed. */
async function orphansOf(
  { prune, yes, dryRun, file }: DeployCommandOptions,
  { manifest }: Selection,
  lock: LockFile | undefined,
  context: Context,
): Promise<CreatedReactor[]> {
  if (!prune) return [];
  if (!manifest || !lock || file.length > 0)
    throw usageError('--prune works on the whole manifest: it needs one, and no files beside it.');
  const names = new Set(manifest.reactors.map(({ name }) => name));
  const baseUrl = (await context.client.connection()).transport.url;
  const { orphans, gone } = await findOrphans(context.client, lock, baseUrl, names);
  if (dryRun) return orphans;
  await lock.remove(gone);
  if (orphans.length > 0)
    await confirmDeletion(`the reactors ${orphans.map(({ name }) => name).join(', ')}`, yes, context);
  return orphans;
}

async function deployOnce(
  options: DeployCommandOptions,
  context: Context,
  loader: ReactorLoader,
  onInput: (path: string) => void,
): Promise<void> {
  const { client, signal, settings } = context;
  const selection = await selectionOf(options, context);
  const { entries, manifest } = selection;
  if (manifest) onInput(manifest.path);
  const smoke = await smokeTestOf(options, context);
  if (smoke && entries.length > 1) throw usageError('--smoke tests one reactor; name its file.');
  const lock = manifest && (await LockFile.open(manifest.path));
  const prepare = prepareOptions(options, loader, context, onInput);
  const errors = new Map<string, unknown>();
  const report = await runDeployment({
    client,
    signal,
    cwd: settings.cwd,
    tasks: entries.map((entry) => ({
      name: entry.name,
      file: shownPath(entry.code, settings.cwd),
      inManifest: manifest?.reactors.includes(entry) ?? false,
      prepare: () => prepareReactor(entry, prepare),
    })),
    lock,
    smoke,
    dryRun: options.dryRun ?? false,
    concurrency: concurrencyOf(options),
    orphans: await orphansOf(options, selection, lock, context),
    onDone(done, error) {
      if (error) errors.set(done.name, error);
      announce(done, error, context);
    },
  });
  await finish(report, errors, context);
}

/** Deploys again at every change; a failure is told and waits for the next. */
async function deployOnChange(
  options: DeployCommandOptions,
  context: Context,
  loader: ReactorLoader,
): Promise<void> {
  const { output, signal } = context;
  const known = new Set<string>();
  await runOnChange(async () => {
    try {
      await deployOnce(options, context, loader, (path) => known.add(path));
    } catch (error) {
      signal.throwIfAborted();
      output.warn(failureText(toFailure(error), output.style));
      if (known.size === 0) throw error;
    }
    output.notice(`Watching ${known.size} files …`);
    return known;
  }, signal);
}

export async function run(options: DeployCommandOptions, context: Context): Promise<void> {
  const loader = createReactorLoader();
  try {
    if (options.watch) await deployOnChange(options, context, loader);
    else await deployOnce(options, context, loader, () => {});
  } finally {
    await loader.close();
  }
}
