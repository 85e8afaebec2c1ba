import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Context } from '../command.js';
import { writeFileAtomically } from '../lib/atomic-write.js';
import { declinedError, usageError } from '../lib/errors.js';
import { SCAFFOLD_FILES, type ScaffoldFile } from '../scaffold/files.js';

export interface InitOptions {
  directory: string | undefined;
  force?: boolean | undefined;
}

/** Reports whether a path is free, or holds this text. A symbolic link is neither, even if it names no file. */
async function canBeWritten(path: string, text: string): Promise<boolean> {
  const existing = await lstat(path).catch(() => undefined);
  if (!existing) return true;
  return existing.isFile() && (await readFile(path, 'utf8')) === text;
}

/** Lists the scaffold files whose place is taken by something else. */
async function findConflicts(directory: string): Promise<ScaffoldFile[]> {
  const found: ScaffoldFile[] = [];
  for (const file of SCAFFOLD_FILES) {
    if (!(await canBeWritten(join(directory, file.path), file.text))) found.push(file);
  }
  return found;
}

/** Writes a file of the project, and replaces a link there. @throws {CliError} when its folder is a link that leads out of the project */
async function writeScaffoldFile(directory: string, { path, text }: ScaffoldFile): Promise<void> {
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true });
  const root = await realpath(directory);
  const folder = await realpath(dirname(target));
  if (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : root + sep))
    throw usageError(`The folder of ${path} is a link that leads out of ${directory}.`);
  await writeFileAtomically(target, text, { mode: 0o666, replaceLink: true });
}

/** Asks before overwriting files. @throws {CliError} when that is declined or nobody can be asked */
async function confirmOverwrite(
  directory: string,
  { force }: InitOptions,
  { prompts }: Context,
): Promise<void> {
  if (force) return;
  const found = (await findConflicts(directory)).map(({ path }) => path);
  if (found.length === 0) return;
  if (!prompts.interactive)
    throw usageError(`These files already exist: ${found.join(', ')}.`, 'Use --force to overwrite them.');
  const message = `Overwrite ${found.join(', ')}?`;
  if (!(await prompts.confirm({ message, flag: '--force' }))) throw declinedError('No file was written.');
}

export async function run(options: InitOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const directory = resolve(settings.cwd, options.directory ?? '.');
  await confirmOverwrite(directory, options, context);
  for (const file of SCAFFOLD_FILES) await writeScaffoldFile(directory, file);
  const files = SCAFFOLD_FILES.map(({ path }) => path);
  await output.result({ directory, files }, { redaction: 'plain', render: () => files.join('\n') });
  const change = relative(settings.cwd, directory);
  output.notice(
    [
      'Next:',
      ...(change ? [`  cd ${change}`] : []),
      '  tokenctl reactor test',
      '  tokenctl emulator start        (in another terminal)',
      '  tokenctl reactor deploy',
    ].join('\n'),
  );
}
