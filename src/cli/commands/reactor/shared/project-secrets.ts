import { dirname } from 'node:path';
import type { Context } from '../../../command.js';
import { findManifest } from '../../../manifest/manifest.js';
import { resolveConfiguration } from '../../../reactors/project/configuration.js';

/**
 * Hides the configuration values of the project's reactors, as far as they can be read here: a deployed reactor may return them or
 * throw them. A project that is not valid is no reason not to call a reactor.
 */
export async function keepProjectSecrets({ settings }: Context): Promise<void> {
  const { cwd, environment, env } = settings;
  const manifest = await findManifest(cwd, environment).catch(() => undefined);
  if (!manifest) return;
  const sources = { env, directory: dirname(manifest.path), allowCommand: false, config: undefined };
  // What is wrong with one source does not hide the other.
  for (const entry of manifest.reactors)
    for (const part of [entry, { ...entry, configuration: undefined }])
      await resolveConfiguration(part, sources).catch(() => undefined);
}
