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

type ConfiguredEntry = Pick<ReactorEntry, 'name' | 'configuration' | 'env_file'> & {
  /** Absolute path, which references are relative to without a manifest. */
  code?: string;
};

export interface ConfigurationSources extends Omit<ReferenceSources, 'directory'> {
  /** Directory of the manifest; that of the code by default. */
  directory?: string | undefined;
  config: Readonly<Record<string, string>> | undefined;
  envFile?: string | undefined;
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

/** Reads the values that flags set, which are never shown; undefined without such flags. */
async function readGiven({
  env,
  envFile,
  config,
}: ConfigurationSources): Promise<Record<string, string> | undefined> {
  if (config === undefined && envFile === undefined) return undefined;
  const file = envFile === undefined ? {} : await readEnvFile(envFile, '--env-file', env);
  const values = { ...file, ...config };
  keepSecrets(Object.values(values), env);
  return values;
}

/** Merges, lowest precedence first: the manifest, its `env_file`, `--env-file`, `--config`; undefined keeps that of the service. */
export async function resolveConfiguration(
  entry: ConfiguredEntry,
  sources: ConfigurationSources,
): Promise<Record<string, string> | undefined> {
  const { configuration, name, code = '' } = entry;
  const directory = sources.directory ?? dirname(code);
  const layers = [
    configuration && (await resolveReferences(configuration, name, { ...sources, directory })),
    await readDeclaredEnvFile(entry, sources),
    await readGiven(sources),
  ].filter((layer) => layer !== undefined);
  if (layers.length === 0) return undefined;
  const merged: Record<string, string> = Object.assign({}, ...layers);
  // Values copied from masked output would overwrite the real ones with the placeholder.
  const hidden = Object.keys(merged).filter((key) => merged[key] === PLACEHOLDER);
  if (hidden.length === 0) return merged;
  throw usageError(
    `The configuration of ${name} contains the placeholder ${PLACEHOLDER} instead of a value: ${hidden.join(', ')}.`,
    'Set the value itself, or omit the whole configuration to keep the one on the service.',
  );
}
