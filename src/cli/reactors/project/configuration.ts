import { usageError } from '../../lib/errors.js';
import { PLACEHOLDER } from '../../lib/placeholder.js';
import { readEnvFile } from './env-file.js';
import type { ReactorEntry } from './manifest.js';

/** What the command line says about configuration. */
export interface ConfigurationFlags {
  /** `--config`; undefined when it was not given. */
  config: Readonly<Record<string, string>> | undefined;
  /** Absolute path. */
  envFile?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * A reactor's configuration: the manifest's, its env file, `--env-file`, `--config`, each over the one before.
 * undefined when none of them says anything: then the service keeps what it has.
 */
export async function resolveConfiguration(
  entry: ReactorEntry,
  flags: ConfigurationFlags,
): Promise<Record<string, string> | undefined> {
  const { configuration, envFile, name } = entry;
  const layers = [
    configuration,
    envFile === undefined ? undefined : await readEnvFile(envFile, `env_file of ${name}`, flags.env),
    flags.envFile === undefined ? undefined : await readEnvFile(flags.envFile, '--env-file', flags.env),
    flags.config,
  ].filter((layer) => layer !== undefined);
  if (layers.length === 0) return undefined;
  const merged: Record<string, string> = Object.assign({}, ...layers);
  refusePlaceholders(merged, name);
  return merged;
}

/** What was copied from masked output would overwrite the real value with its placeholder. */
function refusePlaceholders(configuration: Record<string, string>, reactor: string): void {
  const names = Object.keys(configuration).filter((name) => configuration[name] === PLACEHOLDER);
  if (names.length === 0) return;
  throw usageError(
    `The configuration of ${reactor} holds the placeholder of a hidden value: ${names.join(', ')}.`,
    'Give the value itself, or leave the whole configuration out to keep what the service has.',
  );
}
