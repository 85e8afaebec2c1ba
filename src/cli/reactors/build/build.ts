import pLimit from 'p-limit';
import type { ModuleAliases } from '../../../contract/reactor-runtime.js';
import { createReactorLoader, type LoadProblem, type ReactorLoader } from '../../emulator/reactor-loader.js';
import { type Attempt, attempt } from '../../lib/attempt.js';
import { type ConfigurationSources, resolveConfiguration } from '../project/configuration.js';
import type { Project } from '../project/project.js';
import type { SelectedReactor } from '../project/selection.js';
import { displayPath } from '../project/selection.js';
import { type Bundle, bundleReactor, readVerbatim } from './bundle.js';
import { ReactorCodeError } from './bundling-problems.js';
import { ImportedFiles } from './imports-plugin.js';
import { assertNoSecrets, scanConfiguration, scanSources } from './secret-scan.js';
import type { SourcePosition, SourcePositions } from './source-positions.js';

/** A reactor as the project defines it, bundled and checked. */
export interface BuiltReactor {
  name: string;
  code: string;
  minified: boolean;
  /** undefined keeps the configuration that the service has. */
  configuration: Record<string, string> | undefined;
  /** ID or exact name; null for none; undefined keeps the one that the service has. */
  application: string | null | undefined;
  /** Finds positions of the code in the files that it was built from. Absent if it comes from a plan file. */
  positions?: SourcePositions | undefined;
}

/** A reactor of the project and the outcome of its build. */
export interface ReactorBuild {
  name: string;
  /** The code, relative to the working directory, with forward slashes. */
  file: string;
  inManifest: boolean;
  /** Absolute paths of the files that the outcome depends on, whether they exist or not. */
  inputs: string[];
  outcome: Attempt<BuiltReactor>;
}

export interface BuildOptions {
  /** Paths in reports and errors are relative to it. */
  cwd: string;
  configuration: ConfigurationSources;
  moduleAliases?: ModuleAliases | undefined;
  /** Skips the search for card numbers and keys. */
  allowSecrets: boolean;
  /** Checks the export by loading the code; omitted where the code runs anyway. */
  loader?: ReactorLoader | undefined;
  signal: AbortSignal;
}

/** Locates a problem in the source, unless it is in code that the bundler added. */
function locateProblem({ line, column }: LoadProblem, positions: SourcePositions): Partial<SourcePosition> {
  return (line !== undefined && column !== undefined && positions.find(line, column)) || {};
}

async function checkBundle(
  entry: SelectedReactor,
  bundle: Bundle,
  { cwd, configuration: sources, allowSecrets, loader }: BuildOptions,
): Promise<BuiltReactor> {
  const file = displayPath(entry.code, cwd);
  const configuration = await resolveConfiguration(entry, sources);
  if (!allowSecrets)
    assertNoSecrets(file, [...(await scanSources(bundle, cwd)), ...scanConfiguration(entry, configuration)]);
  // Code that needs modules of another runtime cannot be loaded here.
  const problem = entry.external.length > 0 ? undefined : await loader?.load(bundle.code, file);
  if (problem)
    throw new ReactorCodeError(`${file} could not be loaded as a reactor.`, [
      { file, message: problem.message, ...locateProblem(problem, bundle.positions) },
    ]);
  const { code, minified, positions } = bundle;
  return { name: entry.name, code, minified, configuration, application: entry.application, positions };
}

/** Bundles a reactor, resolves its configuration and checks both. Never rejects. */
export async function buildReactor(entry: SelectedReactor, options: BuildOptions): Promise<ReactorBuild> {
  const { cwd, signal, configuration, moduleAliases } = options;
  const { name, code, inManifest, external } = entry;
  const inputs = [code, entry.env_file, configuration.envFile].filter((path) => path !== undefined);
  const build = { name, file: displayPath(code, cwd), inManifest };
  const imported = new ImportedFiles();
  const bundled = await attempt(signal, () =>
    entry.bundle === false
      ? readVerbatim(code, cwd)
      : bundleReactor({ file: code, cwd, external, moduleAliases, imported }),
  );
  if (!bundled.ok) return { ...build, inputs: [...inputs, ...imported.list()], outcome: bundled };
  const checked = await attempt(signal, () => checkBundle(entry, bundled.value, options));
  const durationMs = bundled.durationMs + checked.durationMs;
  return { ...build, inputs: [...inputs, ...bundled.value.inputs], outcome: { ...checked, durationMs } };
}

/** Builds the reactors of a project. The failure of one does not stop the others. */
export async function buildReactors(project: Project, signal: AbortSignal): Promise<ReactorBuild[]> {
  const { cwd, configuration, moduleAliases, allowSecrets, concurrency, reactors } = project;
  const loader = createReactorLoader(moduleAliases);
  try {
    const options = { cwd, configuration, moduleAliases, allowSecrets, loader, signal };
    return await pLimit(concurrency).map(reactors, (entry) => buildReactor(entry, options));
  } finally {
    await loader.close();
  }
}
