import { randomBytes } from 'node:crypto';
import type { Settings } from './settings.js';
import { changeUserConfig, readUserConfig } from './user-config.js';

const BYTES = 32;

/**
 * Returns the key for digests of configuration values: `TOKENCTL_DIGEST_KEY`, which a pipeline can set to compare digests
 * of different machines, else that of the user configuration, which is created when it is first needed.
 */
export async function readDigestKey({
  env,
  configDir,
}: Pick<Settings, 'env' | 'configDir'>): Promise<string> {
  if (env.TOKENCTL_DIGEST_KEY) return env.TOKENCTL_DIGEST_KEY;
  const { digest_key } = await readUserConfig(configDir);
  if (digest_key !== undefined) return digest_key;
  const created = randomBytes(BYTES).toString('hex');
  await changeUserConfig(configDir, (config) => {
    config.digest_key = created;
  });
  return created;
}
