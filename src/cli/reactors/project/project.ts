import { dirname } from 'node:path';
import type { ModuleAliases } from '../../../contract/reactor-runtime.js';
import type { Warn } from '../../lib/annotations.js';
import { usageError } from '../../lib/errors.js';
import { findManifest, type Manifest } from '../../manifest/manifest.js';
import { PLACEHOLDER_ENVIRONMENT } from '../../manifest/references.js';
import type { ConfigurationSources } from './configuration.js';
import { type SelectedReactor, selectReactors } from './selection.js';

/** The flags and the environment that a command reads its project with. */
export interface ProjectOptions {
  cwd: string;
  environment: string | undefined;
  /** Files of code, relative to `cwd`; none selects the reactors of the manifest. */
  files: readonly string[];
  external: readonly string[];
  minify?: boolean | undefined;
  moduleAliases: ModuleAliases;
  configuration: ConfigurationSources;
  allowSecrets: boolean;
  warn?: Warn | undefined;
  /** Reactors to build, read or write at a time. */
  concurrency: number;
  /** Delete what an earlier deployment of the manifest created and the manifest no longer lists. */
  prune: boolean;
}

/** The reactors that a command works on, with everything that the files and the flags say about them. */
export interface Project extends Omit<ProjectOptions, 'files' | 'external' | 'minify'> {
  reactors: SelectedReactor[];
  manifest: Manifest | undefined;
}

export async function readProject({
  files,
  external,
  minify,
  moduleAliases: given,
  ...options
}: ProjectOptions): Promise<Project> {
  const { env, placeholders } = options.configuration;
  const references = placeholders ? PLACEHOLDER_ENVIRONMENT : env;
  const manifest = await findManifest(options.cwd, options.environment, references);
  const selected = selectReactors(files, options.cwd, manifest);
  if (options.prune && (!manifest || files.length > 0))
    throw usageError('--prune needs a manifest and cannot be combined with files.');
  const reactors = selected.map((entry) => ({
    ...entry,
    external: [...entry.external, ...external],
    minify: minify || entry.minify,
  }));
  const directory = manifest && dirname(manifest.path);
  const configuration = { ...options.configuration, directory };
  const moduleAliases = { ...manifest?.moduleAliases, ...given };
  return { ...options, moduleAliases, configuration, reactors, manifest };
}
