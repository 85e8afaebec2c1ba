import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Context } from '../../../command.js';
import { type AccessByName, createLeakWatch, type Leak, type LeakWatch } from '../../../emulator/launch.js';
import { CliError } from '../../../lib/errors.js';
import { applyAccess } from '../access/apply-access.js';
import { type CommandOptions, runCommand, withTemporaryEmulator } from '../temporary-emulator.js';
import { listFiles, observeFiles, requireDirectories } from './watch-files.js';

/** The flags of `--fail-on-leak`. */
export interface WatchOptions {
  watchDir?: string[] | undefined;
  dataHost?: string[] | undefined;
  ignore?: string[] | undefined;
}

/**
 * Runs a command with a temporary emulator, passes its output on, and searches everything that leaves the service for token
 * data.
 * @returns the exit code of the command
 * @throws {CliError} when there are leaks
 */
export async function runWatched(
  options: CommandOptions & WatchOptions,
  purpose: string,
  access: AccessByName | undefined,
  context: Context,
): Promise<number> {
  const { cwd, dataDirFlag } = context.settings;
  const leakWatch = await createLeakWatch(options.dataHost, options.ignore);
  const directories = (options.watchDir ?? []).map((directory) => resolve(cwd, directory));
  const ignored = dataDirFlag === undefined ? [] : [resolve(cwd, dataDirFlag)];
  await requireDirectories(directories);
  const before = await listFiles(directories, ignored);
  const own = { purpose, leakWatch, ...(access && { tenantAccess: access }) };
  const code = await withTemporaryEmulator(options, own, context, async ({ emulator, env }) => {
    if (access) await applyAccess(access, emulator, context);
    const [stdout, stderr] = [observer(leakWatch, 'stdout'), observer(leakWatch, 'stderr')];
    return runCommand(options.command, env, context, { stdout, stderr });
  });
  const after = await listFiles(directories, ignored);
  await observeFiles(before, after, cwd, leakWatch);
  const leaks = leakWatch.report();
  if (leaks.length > 0) throw leakError(leaks, code);
  return code;
}

/** Decodes the output of the command and passes it to the watch. */
function observer(watch: LeakWatch, place: string): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  return (chunk) => watch.observeStream(place, decoder.write(chunk));
}

function leakError(leaks: readonly Leak[], code: number): CliError {
  const errors: Record<string, string[]> = {};
  for (const { place, line, token_id, path, form, excerpt } of leaks) {
    const where = line === undefined ? place : `${place}, line ${line}`;
    errors[where] ??= [];
    errors[where].push(`${path} of token ${token_id}, as ${form}: ${excerpt}`);
  }
  const count = leaks.length === 1 ? 'one leak' : `${leaks.length} leaks`;
  const ended = code === 0 ? '' : ` The command itself ended with exit code ${code}.`;
  return new CliError('failed', `Token data appeared outside of the service: ${count}.${ended}`, {
    errors,
    hint: 'docs/leaks.md says what is searched. Let reactors send data to a host with --data-host HOST, and accept a leak with --ignore.',
  });
}
