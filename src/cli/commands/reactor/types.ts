import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeDirectories } from '../../../contract/files.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError } from '../../lib/errors.js';
import { readProject } from '../../reactors/project/project.js';
import { displayPath } from '../../reactors/project/selection.js';
import { formatDeclarations, readReactorShape } from '../../reactors/types/reactor-shape.js';
import { projectOptions } from '../shared/project-options.js';

type TypesFlags = Options<'out'> & Options<'check', boolean>;

const DEFAULT_PATH = 'types/reactors.d.ts';

export async function run({ out, check = false }: TypesFlags, context: Context): Promise<void> {
  const { output, settings } = context;
  const { manifest, reactors } = await readProject(projectOptions({ file: [] }, context));
  const directory = manifest ? dirname(manifest.path) : settings.cwd;
  const path = out === undefined ? join(directory, DEFAULT_PATH) : resolve(settings.cwd, out);
  const text = formatDeclarations(
    await Promise.all(reactors.map((entry) => readReactorShape(entry, directory))),
  );
  const file = displayPath(path, settings.cwd);
  const current = await readFile(path, 'utf8').catch(() => undefined);
  const changed = current?.replaceAll('\r\n', '\n') !== text;
  if (changed && check)
    throw new CliError('difference', `${file} does not have the types of the configuration and test cases.`, {
      hint: `Run: tokenctl reactor types${out === undefined ? '' : ` --out ${out}`}`,
    });
  if (changed) {
    makeDirectories(dirname(path));
    await writeFileAtomically(path, text, { mode: 0o666 });
  }
  const report = { version: 1, file, changed, reactors: reactors.map(({ name }) => name) };
  await output.result(report, { redaction: 'plain', render: () => file });
}
