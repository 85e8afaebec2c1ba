import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Checkpoint, createState } from '../../bulk/checkpoint.js';
import { RejectsFile } from '../../bulk/rejects.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { checkpointPath, identifyPlace, withCheckpointLock } from './checkpoint-path.js';
import { formatOf, type ImportCommandOptions, type Source } from './import-source.js';

export type ImportCheckpoint = Awaited<ReturnType<typeof Checkpoint.open<'import'>>>;

/**
 * Opens the checkpoint for this source, service and tenant for the time of an import, and prints a notice when an earlier
 * run has left one.
 * @throws {CliError} while another process imports the source
 */
export async function withCheckpoint(
  { checkpoint }: Pick<ImportCommandOptions, 'checkpoint'>,
  { path: sourcePath, identity }: Source,
  context: Context,
  use: (checkpoint: ImportCheckpoint) => Promise<void>,
): Promise<void> {
  const place = await identifyPlace(context);
  const path = checkpointPath(checkpoint, sourcePath, place, context);
  const fresh = { ...createState({ ...place, source: identity }), import_id: randomUUID() };
  await withCheckpointLock(path, `import with the checkpoint ${path}`, async () => {
    const opened = await Checkpoint.open('import', path, fresh);
    const { done, completed } = opened.state;
    // Whether the pipe has the same rows cannot be known, and rows that are not imported must not look imported.
    if (completed && identity === undefined)
      throw usageError(
        `The checkpoint ${path} belongs to an import from a pipe that is complete.`,
        'Delete it, or name another file with --checkpoint, to import what the pipe has now.',
      );
    if (opened.resumed)
      context.output.notice(
        completed
          ? `Already imported. To import it again, delete the checkpoint ${path}.`
          : `Resuming after row ${done}. To start over, delete the checkpoint ${path}.`,
      );
    await use(opened);
  });
}

/** Opens the file of `--rejects`. @throws {CliError} if it would overwrite another file of the import */
export async function openRejects(
  options: ImportCommandOptions,
  source: Source,
  { path: checkpoint, state }: ImportCheckpoint,
  { settings }: Context,
): Promise<RejectsFile | undefined> {
  if (options.rejects === undefined) return undefined;
  const path = resolve(settings.cwd, options.rejects);
  const real = await realpath(path).catch(() => path);
  if (source.path !== undefined && real === (await realpath(source.path)))
    throw usageError('--rejects must not be the source, which it would overwrite.');
  if (path === checkpoint) throw usageError('--rejects and --checkpoint must be different files.');
  return RejectsFile.open(path, formatOf(options), state.rejects_bytes);
}
