import pLimit from 'p-limit';
import { createReactorLoader } from '../../emulator/reactor-loader.js';
import { type Attempt, attempt, unwrap } from '../../lib/attempt.js';
import type { ProxyEntry } from '../../manifest/manifest.js';
import { resolveConfiguration } from '../project/configuration.js';
import type { Project } from '../project/project.js';
import { displayPath } from '../project/selection.js';
import { type BuildOptions, buildReactor } from './build.js';
import { assertNoSecrets, scanConfiguration } from './secret-scan.js';

/** A proxy as the project defines it, its transforms bundled and checked. */
export interface BuiltProxy {
  /** null for none; undefined keeps the one that the service has. */
  request: string | null | undefined;
  response: string | null | undefined;
  /** undefined keeps the configuration that the service has. */
  configuration: Record<string, string> | undefined;
}

/** A proxy of the project and the outcome of its build. */
export interface ProxyBuild {
  entry: ProxyEntry;
  /** The first transform, relative to the working directory, with forward slashes. */
  file: string | undefined;
  /** Absolute paths of the files that the outcome depends on, whether they exist or not. */
  inputs: string[];
  outcome: Attempt<BuiltProxy>;
}

async function buildProxy(entry: ProxyEntry, options: BuildOptions): Promise<ProxyBuild> {
  const { name, env_file, request_transform, response_transform, external, bundle } = entry;
  const files = [request_transform, response_transform].filter((path) => typeof path === 'string');
  const inputs = [...files, ...(env_file === undefined ? [] : [env_file])];
  // The configuration belongs to the proxy rather than to each of its transforms.
  const unconfigured = { ...options.configuration, config: undefined, envFile: undefined };
  const build = async (path: string | null | undefined): Promise<string | null | undefined> => {
    if (typeof path !== 'string') return path;
    const transform = { name, code: path, external, inManifest: true, bundle };
    const built = await buildReactor(transform, { ...options, configuration: unconfigured });
    inputs.push(...built.inputs);
    return unwrap(built.outcome).code;
  };
  const outcome = await attempt(options.signal, async () => {
    const [request, response] = [await build(request_transform), await build(response_transform)];
    const configuration = await resolveConfiguration(entry, options.configuration);
    if (!options.allowSecrets)
      assertNoSecrets(`The configuration of ${name}`, scanConfiguration(entry, configuration));
    return { request, response, configuration };
  });
  const file = files[0] === undefined ? undefined : displayPath(files[0], options.cwd);
  return { entry, file, inputs, outcome };
}

/** Builds the proxies of a project. The failure of one does not stop the others. */
export async function buildProxies(
  { manifest, cwd, configuration, moduleAliases, allowSecrets, concurrency }: Project,
  signal: AbortSignal,
): Promise<ProxyBuild[]> {
  const loader = createReactorLoader(moduleAliases);
  try {
    const options = { cwd, configuration, moduleAliases, allowSecrets, loader, signal };
    return await pLimit(concurrency).map(manifest?.proxies ?? [], (entry) => buildProxy(entry, options));
  } finally {
    await loader.close();
  }
}
