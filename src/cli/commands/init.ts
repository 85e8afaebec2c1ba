import { relative, resolve } from 'node:path';
import type { Context } from '../command.js';
import { SCAFFOLD_FILES } from '../scaffold/files.js';
import { confirmOverwrite, findConflicts, writeProjectFile } from './shared/project-files.js';

interface InitOptions {
  directory: string | undefined;
  force?: boolean | undefined;
}

export async function run(options: InitOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const directory = resolve(settings.cwd, options.directory ?? '.');
  const ownable = SCAFFOLD_FILES.filter(({ keepsExisting }) => keepsExisting);
  const kept = await findConflicts(ownable, directory);
  const written = SCAFFOLD_FILES.filter(({ path }) => !kept.includes(path));
  await confirmOverwrite(written, directory, options, context);
  for (const file of written) await writeProjectFile(directory, file);
  const files = written.map(({ path }) => path);
  await output.result({ directory, files }, { redaction: 'plain', render: () => files.join('\n') });
  const change = relative(settings.cwd, directory);
  output.notice(
    [
      'Next:',
      ...(change ? [`  cd ${change}`] : []),
      kept.length === 0 ? '  npm install' : '  npm install --save-dev tokenctl typescript',
      '  npx tokenctl reactor test',
      '  npx tokenctl emulator start    (in another terminal)',
      '  npx tokenctl apply',
    ].join('\n'),
  );
}
