import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { makeDirectories } from '../../../contract/files.js';
import type { Context } from '../../command.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { declinedError, usageError } from '../../lib/errors.js';

export interface ProjectFile {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
}

const SOURCE_FILE_MODE = 0o666;

/** Reports whether a path is free, or holds this text. A symbolic link is neither, even if it names no file. */
async function canBeWritten(path: string, text: string): Promise<boolean> {
  const existing = await lstat(path).catch(() => undefined);
  if (!existing) return true;
  return existing.isFile() && (await readFile(path, 'utf8')) === text;
}

export async function findConflicts(files: readonly ProjectFile[], directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const { path, text } of files)
    if (!(await canBeWritten(join(directory, path), text))) found.push(path);
  return found;
}

/** Writes a file of a project, and replaces a link there. The folder must not be a link that leads out of the project. */
export async function writeProjectFile(
  directory: string,
  { path, text }: ProjectFile,
  mode = SOURCE_FILE_MODE,
): Promise<void> {
  const target = join(directory, path);
  makeDirectories(dirname(target));
  const root = await realpath(directory);
  const folder = await realpath(dirname(target));
  if (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : root + sep))
    throw usageError(`The folder of ${path} is a link that leads out of ${directory}.`);
  await writeFileAtomically(target, text, { mode, replaceLink: true });
}

export async function confirmOverwrite(
  files: readonly ProjectFile[],
  directory: string,
  { force }: { force?: boolean | undefined },
  { prompts }: Context,
): Promise<void> {
  if (force) return;
  const found = await findConflicts(files, directory);
  if (found.length === 0) return;
  if (!prompts.interactive)
    throw usageError(`These files already exist: ${found.join(', ')}.`, 'Use --force to overwrite them.');
  const message = `Overwrite ${found.join(', ')}?`;
  if (!(await prompts.confirm({ message, flag: '--force' }))) throw declinedError('No file was written.');
}
