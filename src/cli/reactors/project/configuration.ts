import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readEnvFile } from '../../lib/env-file.js';
import { usageError } from '../../lib/errors.js';
import { PLACEHOLDER } from '../../lib/placeholder.js';
import { keepSecrets } from '../../lib/secrets.js';
import type { ReactorEntry } from '../../manifest/manifest.js';
import {
  PLACEHOLDER_ENVIRONMENT,
  type ReferenceSources,
  resolveReferences,
} from '../../manifest/references.js';

/** An object that has a configuration. */
type ConfiguredEntry = Pick<ReactorEntry, 'name' | 'configuration' | 'env_file'> & {
  /** Absolute path, which references are relative to without a manifest. */
  code?: string;
};

/** The sources of configuration values besides the manifest. */
export interface ConfigurationSources extends Omit<ReferenceSources, 'directory'> {
  /** Directory of the manifest; that of the code by default. */
  directory?: string | undefined;
  /** `--config`; undefined if it was not given. */
  config: Readonly<Record<string, string>> | undefined;
  /** `--env-file`, an absolute path. */
  envFile?: string | undefined;
}

/** Replaces the references in the values of the manifest. */
async function resolveDeclared(
  { configuration, name, code = '' }: ConfiguredEntry,
  { directory = dirname(code), ...sources }: ConfigurationSources,
): Promise<Record<string, string> | undefined> {
  return configuration && resolveReferences(configuration, name, { ...sources, directory });
}

/** Reads the env file of the manifest. Made-up values need no file, which may hold secrets and not be committed. */
async function readDeclaredEnvFile(
  { env_file }: ConfiguredEntry,
  { env, placeholders }: ConfigurationSources,
): Promise<Record<string, string> | undefined> {
  if (env_file === undefined || (placeholders && !existsSync(env_file))) return undefined;
  const values = await readEnvFile(env_file, 'The env_file', placeholders ? PLACEHOLDER_ENVIRONMENT : env);
  if (!placeholders) keepSecrets(Object.values(values), env);
  return values;
}

/** Reads the values that flags set, which are never shown. */
async function readGiven({
  env,
  envFile,
  config = {},
}: ConfigurationSources): Promise<Record<string, string>> {
  const values = {
    ...(envFile !== undefined && (await readEnvFile(envFile, '--env-file', env))),
    ...config,
  };
  keepSecrets(Object.values(values), env);
  return values;
}

/**
 * Merges the configuration of a reactor or proxy. In order of precedence, lowest first: the manifest, its `env_file`, `--env-file`,
 * `--config`. Returns undefined if there is none of them; a deployment then keeps the configuration of the service.
 * @throws {CliError} if a reference cannot be resolved, an env file cannot be read, or a value is the placeholder of a
 * hidden one.
 */
export async function resolveConfiguration(
  entry: ConfiguredEntry,
  sources: ConfigurationSources,
): Promise<Record<string, string> | undefined> {
  const { config, envFile } = sources;
  const { name } = entry;
  const layers = [
    await resolveDeclared(entry, sources),
    await readDeclaredEnvFile(entry, sources),
    config || envFile !== undefined ? await readGiven(sources) : undefined,
  ].filter((layer) => layer !== undefined);
  if (layers.length === 0) return undefined;
  const merged: Record<string, string> = Object.assign({}, ...layers);
  assertNoPlaceholder(merged, name);
  return merged;
}

/** Values copied from masked output would overwrite the real ones with the placeholder. */
function assertNoPlaceholder(configuration: Record<string, string>, reactor: string): void {
  const names = Object.keys(configuration).filter((name) => configuration[name] === PLACEHOLDER);
  if (names.length === 0) return;
  throw usageError(
    `The configuration of ${reactor} contains the placeholder ${PLACEHOLDER} instead of a value: ${names.join(', ')}.`,
    'Set the value itself, or omit the whole configuration to keep the one on the service.',
  );
}
