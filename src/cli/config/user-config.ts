import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKeys } from '../../client/connection.js';
import { makeDirectories } from '../../contract/files.js';
import { didYouMean } from '../../contract/nearest.js';
import { usageError } from '../lib/errors.js';
import type { Settings } from './settings.js';

export interface Profile {
  base_url: string;
  header_prefix?: string | undefined;
  keys: ApiKeys;
  /** Prints the key for every operation; used instead of `keys`. */
  key_command?: string | undefined;
  /** Commands that write ask first, and need `--yes` when prompts are disabled. */
  protected?: boolean | undefined;
}

interface UserConfig {
  current?: string | undefined;
  profiles: Record<string, Profile>;
  /** Makes digests of configuration values that only this user can compare. */
  digest_key?: string | undefined;
}

const OWNER_ONLY_DIRECTORY = 0o700;

export const configPath = (configDir: string): string => join(configDir, 'config.json');

async function open(configDir: string) {
  const { Low } = await import('lowdb');
  const path = configPath(configDir);
  const adapter = {
    read: async () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as UserConfig) : null),
    write: async (config: UserConfig) => {
      // Needs node:crypto, which reading does without: goal S2.
      const { writeFileAtomically } = await import('../lib/atomic-write.js');
      await writeFileAtomically(path, JSON.stringify(config, null, 2));
    },
  };
  const config = new Low<UserConfig>(adapter, { profiles: {} });
  try {
    await config.read();
  } catch {
    throw usageError(
      `The configuration file ${path} cannot be read or is not JSON.`,
      'Repair it, or remove it and run `tokenctl auth login`.',
    );
  }
  return config;
}

export async function readUserConfig(configDir: string): Promise<UserConfig> {
  // Goal S2: a run against an emulator needs no configuration and so does not load lowdb.
  if (!existsSync(configPath(configDir))) return { profiles: {} };
  const { data } = await open(configDir);
  return { ...data, profiles: data.profiles ?? {} };
}

/** Changes the user's configuration. The file holds keys, so only the user can read it. */
export async function changeUserConfig(configDir: string, change: (config: UserConfig) => void) {
  makeDirectories(configDir, OWNER_ONLY_DIRECTORY);
  await (await open(configDir)).update(change);
}

const DIGEST_KEY_BYTES = 32;

/** Returns the key for digests: `TOKENCTL_DIGEST_KEY`, with which machines can compare them, else that of the user, made when needed. */
export async function readDigestKey({
  env,
  configDir,
}: Pick<Settings, 'env' | 'configDir'>): Promise<string> {
  if (env.TOKENCTL_DIGEST_KEY) return env.TOKENCTL_DIGEST_KEY;
  const { digest_key } = await readUserConfig(configDir);
  if (digest_key !== undefined) return digest_key;
  const { randomBytes } = await import('node:crypto');
  const created = randomBytes(DIGEST_KEY_BYTES).toString('hex');
  await changeUserConfig(configDir, (config) => {
    config.digest_key = created;
  });
  return created;
}

/** Says which profiles there are if one does not exist, the one that may have been meant first. */
export function otherProfiles(name: string, known: readonly string[]): string {
  return known.length > 0
    ? `Existing profiles: ${known.join(', ')}.${didYouMean(name, known)}`
    : `Add it: tokenctl profile add ${name} --base-url URL`;
}
