import pLimit, { type LimitFunction } from 'p-limit';
import type { ModuleAliases } from '../../../contract/reactor-runtime.js';
import { createReactorLoader, type ReactorLoader } from '../../emulator/reactor-loader.js';
import type { Warn } from '../../lib/annotations.js';
import { type Attempt, attempt, unwrap } from '../../lib/attempt.js';
import type { ProxyEntry } from '../../manifest/manifest.js';
import { type ConfigurationSources, resolveConfiguration } from '../project/configuration.js';
import type { Project } from '../project/project.js';
import { displayPath, type SelectedReactor } from '../project/selection.js';
import { type Bundle, bundleEntry } from './bundle.js';
import { ReactorCodeError } from './bundling-problems.js';
import { Imports } from './imports-plugin.js';
import { findNewerFeatures } from './newer-features.js';
import { assertNoSecrets, scanConfiguration, scanSources } from './secret-scan.js';
import type { SourcePositions } from './source-positions.js';

/** A reactor as the project defines it, bundled and checked. */
export interface BuiltReactor {
  name: string;
  code: string;
  minified: boolean;
  needsModules: boolean;
  /** undefined keeps the configuration that the service has. */
  configuration: Record<string, string> | undefined;
  /** ID or exact name; null for none; undefined keeps the one that the service has. */
  application: string | null | undefined;
  runtime: SelectedReactor['runtime'];
  positions: SourcePositions;
  map: Bundle['map'];
}

export interface Build<Entry, Built> {
  entry: Entry;
  /** The first file of code, relative to the working directory, with forward slashes. */
  file: string | undefined;
  /** Absolute paths of the files that the outcome depends on, whether they exist or not. */
  inputs: string[];
  outcome: Attempt<Built>;
}

export interface BuildOptions {
  cwd: string;
  configuration: ConfigurationSources;
  moduleAliases?: ModuleAliases | undefined;
  /** Skips the search for card numbers and keys. */
  allowSecrets: boolean;
  warn?: Warn | undefined;
  /** Checks the export by loading the code; omitted where the code runs anyway. */
  loader?: ReactorLoader | undefined;
  /** Bounds how many are bundled at once. It does not count those that wait for the loader, which takes many at a time. */
  limit?: LimitFunction | undefined;
  signal: AbortSignal;
}

/** Passes on what Node.js 16 lacks, unless the reactor runs on a newer one. */
export async function warnOfNewerFeatures(
  { code, runtime }: Pick<SelectedReactor, 'code' | 'runtime'>,
  bundle: Bundle,
  { cwd, warn }: Pick<BuildOptions, 'cwd' | 'warn'>,
): Promise<void> {
  if (!warn || /^node\d/.test(runtime?.image ?? '')) return;
  const file = displayPath(code, cwd);
  for (const problem of await findNewerFeatures(bundle)) warn({ file, ...problem });
}

async function checkBundle(entry: SelectedReactor, bundle: Bundle, options: BuildOptions) {
  const { cwd, configuration: sources, allowSecrets, loader } = options;
  const file = displayPath(entry.code, cwd);
  const configuration = await resolveConfiguration(entry, sources);
  if (!allowSecrets)
    assertNoSecrets(file, [...(await scanSources(bundle, cwd)), ...scanConfiguration(entry, configuration)]);
  // Code that needs modules of another runtime cannot be loaded here.
  const problem = bundle.needsModules ? undefined : await loader?.load(bundle.code, file);
  if (problem) {
    const { message, line, column = 1 } = problem;
    const position = line === undefined ? undefined : bundle.positions.find(line, column);
    throw new ReactorCodeError(`${file} could not be loaded as a reactor.`, [{ file, message, ...position }]);
  }
  await warnOfNewerFeatures(entry, bundle, options);
  const { code, minified, needsModules, positions, map } = bundle;
  const { name, application, runtime } = entry;
  return { name, code, minified, needsModules, configuration, application, runtime, positions, map };
}

/** Bundles a reactor, resolves its configuration and checks both. Never rejects. */
export async function buildReactor(
  entry: SelectedReactor,
  options: BuildOptions,
): Promise<Build<SelectedReactor, BuiltReactor>> {
  const { cwd, signal, configuration, moduleAliases, limit = pLimit(1) } = options;
  const { code } = entry;
  const inputs = [code, entry.env_file, configuration.envFile].filter((path) => path !== undefined);
  const build = { entry, file: displayPath(code, cwd) };
  const imports = new Imports();
  const bundle = () => bundleEntry(entry, { cwd, moduleAliases, imports });
  const bundled = await limit(() => attempt(signal, bundle));
  if (!bundled.ok) return { ...build, inputs: [...inputs, ...imports.list()], outcome: bundled };
  const checked = await attempt(signal, () => checkBundle(entry, bundled.value, options));
  // Most of the check is the wait for others.
  const outcome = { ...checked, durationMs: bundled.durationMs };
  return { ...build, inputs: [...inputs, ...bundled.value.inputs], outcome };
}

async function buildProxy(entry: ProxyEntry, options: BuildOptions) {
  const { name, env_file, request_transform, response_transform, external, bundle, minify } = entry;
  const files = [request_transform, response_transform].filter((path) => typeof path === 'string');
  const inputs = [...files, ...(env_file === undefined ? [] : [env_file])];
  // The configuration belongs to the proxy rather than to each of its transforms.
  const unconfigured = { ...options.configuration, config: undefined, envFile: undefined };
  // null for no transform; undefined keeps the one that the service has.
  const build = async (path: string | null | undefined): Promise<string | null | undefined> => {
    if (typeof path !== 'string') return path;
    const transform = { name, code: path, external, inManifest: true, bundle, minify };
    const built = await buildReactor(transform, { ...options, configuration: unconfigured });
    inputs.push(...built.inputs);
    return unwrap(built.outcome).code;
  };
  const outcome = await attempt(options.signal, async () => {
    const built = {
      request_transform: await build(request_transform),
      response_transform: await build(response_transform),
      configuration: await resolveConfiguration(entry, options.configuration),
    };
    if (!options.allowSecrets)
      assertNoSecrets(`The configuration of ${name}`, scanConfiguration(entry, built.configuration));
    return built;
  });
  const file = files[0] === undefined ? undefined : displayPath(files[0], options.cwd);
  return { entry, file, inputs, outcome };
}

/** Builds entries of a project. The failure of one does not stop the others. */
async function buildAll<Entry, Built>(
  entries: readonly Entry[],
  build: (entry: Entry, options: BuildOptions) => Promise<Built>,
  { cwd, configuration, moduleAliases, allowSecrets, concurrency, warn }: Project,
  signal: AbortSignal,
): Promise<Built[]> {
  const loader = createReactorLoader(moduleAliases);
  try {
    const limit = pLimit(concurrency);
    const options = { cwd, configuration, moduleAliases, allowSecrets, warn, loader, limit, signal };
    return await Promise.all(entries.map((entry) => build(entry, options)));
  } finally {
    await loader.close();
  }
}

export const buildReactors = (project: Project, signal: AbortSignal) =>
  buildAll(project.reactors, buildReactor, project, signal);

export const buildProxies = (proxies: readonly ProxyEntry[], project: Project, signal: AbortSignal) =>
  buildAll(proxies, buildProxy, project, signal);
