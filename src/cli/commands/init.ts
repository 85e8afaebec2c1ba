import { relative, resolve } from 'node:path';
import type { Context } from '../command.js';
import { SCAFFOLD_FILES } from '../scaffold/files.js';
import { confirmOverwrite, writeProjectFile } from './shared/project-files.js';

export interface InitOptions {
  directory: string | undefined;
  force?: boolean | undefined;
}

export async function run(options: InitOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const directory = resolve(settings.cwd, options.directory ?? '.');
  await confirmOverwrite(SCAFFOLD_FILES, directory, options, context);
  for (const file of SCAFFOLD_FILES) await writeProjectFile(directory, file);
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
