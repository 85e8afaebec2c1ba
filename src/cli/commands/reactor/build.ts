import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import type { ProjectFlags } from '../../flags/project-flags.js';
import { warnOfNewerFeatures } from '../../reactors/build/build.js';
import { bundleEntry } from '../../reactors/build/bundle.js';
import { type Project, readProject } from '../../reactors/project/project.js';
import { displayPath, type SelectedReactor } from '../../reactors/project/selection.js';
import { projectOptions } from '../shared/project-options.js';

export async function run(flags: ProjectFlags, context: Context): Promise<void> {
  const { output } = context;
  const project = await readProject(projectOptions(flags, context));
  const reactors = [];
  for (const entry of project.reactors) reactors.push(await build(entry, project));
  const { mode, chosen, jq } = output.settings;
  if ((chosen && mode !== 'table') || jq !== undefined)
    return output.result({ version: 1, reactors }, { redaction: 'plain' });
  const title = (text: string) => (reactors.length > 1 ? `// ${text}\n` : '');
  output.text(
    reactors.map(({ name, file, code }) => title(`${name} (${file})`) + code.trimEnd()).join('\n\n'),
  );
}

async function build(entry: SelectedReactor, project: Project) {
  const { cwd, moduleAliases } = project;
  const bundle = await bundleEntry(entry, { cwd, moduleAliases });
  await warnOfNewerFeatures(entry, bundle, project);
  const { code, minified, map } = bundle;
  const file = displayPath(entry.code, cwd);
  return { name: entry.name, file, code, minified, ...(map && { source_map: absoluteSources(map) }) };
}

/** Resolves the paths of a source map, which a consumer would resolve against its own directory. */
function absoluteSources({ json, directory }: { json: string; directory: string }): object {
  const map = JSON.parse(json) as { sources: string[] };
  return { ...map, sources: map.sources.map((source) => resolve(directory, source)) };
}
