import { readEnvFile } from '../../lib/env-file.js';
import { usageError } from '../../lib/errors.js';
import { PLACEHOLDER } from '../../lib/placeholder.js';
import type { ReactorEntry } from './manifest.js';

/** The sources of configuration values besides the manifest. */
export interface ConfigurationSources {
  /** `--config`; undefined if it was not given. */
  config: Readonly<Record<string, string>> | undefined;
  /** `--env-file`, an absolute path. */
  envFile?: string | undefined;
  /** The process environment, for names without a value in an env file. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Merges a reactor's configuration. In order of precedence, lowest first: the manifest, its `env_file`, `--env-file`,
 * `--config`. Returns undefined if there is none of them; a deployment then keeps the configuration of the service.
 * @throws {CliError} if an env file cannot be read or a value is the placeholder of a hidden one.
 */
export async function resolveConfiguration(
  { configuration, envFile, name }: ReactorEntry,
  sources: ConfigurationSources,
): Promise<Record<string, string> | undefined> {
  const { env, config } = sources;
  const layers = [
    configuration,
    envFile === undefined ? undefined : await readEnvFile(envFile, `env_file of ${name}`, env),
    sources.envFile === undefined ? undefined : await readEnvFile(sources.envFile, '--env-file', env),
    config,
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
