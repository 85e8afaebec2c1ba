import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Context } from '../command.js';
import { interruptedError, usageError } from '../lib/errors.js';
import { SCAFFOLD_FILES, type ScaffoldFile } from '../scaffold/files.js';

export interface InitOptions {
  directory: string | undefined;
  force?: boolean | undefined;
}

/** Lists the scaffold files that exist with other content. */
async function findConflicts(directory: string): Promise<ScaffoldFile[]> {
  const found: ScaffoldFile[] = [];
  for (const file of SCAFFOLD_FILES) {
    const path = join(directory, file.path);
    if (existsSync(path) && (await readFile(path, 'utf8')) !== file.text) found.push(file);
  }
  return found;
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
  if (!(await prompts.confirm({ message, flag: '--force' }))) throw interruptedError();
}

export async function run(options: InitOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const directory = resolve(settings.cwd, options.directory ?? '.');
  await confirmOverwrite(directory, options, context);
  for (const { path, text } of SCAFFOLD_FILES) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
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
