import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '@napi-rs/keyring';
import type { ApiKeys } from '../../client/connection.js';
import type { ApplicationType } from '../../contract/application-types.js';
import { makeDirectories } from '../../contract/files.js';
import { didYouMean } from '../../contract/nearest.js';
import { CliError, usageError } from '../lib/errors.js';
import type { Settings } from './settings.js';

export interface Profile {
  base_url: string;
  header_prefix?: string | undefined;
  keys: ApiKeys;
  /** The types of the keys that are in the keyring of the system, not in this file. */
  keyring?: ApplicationType[] | undefined;
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

export function configPath(configDir: string): string {
  return join(configDir, 'config.json');
}

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
export async function changeUserConfig(
  configDir: string,
  change: (config: UserConfig) => void,
): Promise<void> {
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

const SERVICE = 'tokenctl';

/** Stores a key in the keyring: the Keychain of macOS, the Credential Manager of Windows, the Secret Service of Linux desktops. */
export async function storeKey(profile: string, type: ApplicationType, key: string): Promise<void> {
  await useEntry(profile, type, (entry) => entry.setPassword(key));
}

/** Says which profiles there are if one does not exist, the one that may have been meant first. */
export function otherProfiles(name: string, known: readonly string[]): string {
  return known.length > 0
    ? `Existing profiles: ${known.join(', ')}.${didYouMean(name, known)}`
    : `Add it: tokenctl profile add ${name} --base-url URL`;
}

/** Deletes keys of a profile from the keyring. A key that is no longer there is not an error. @throws {CliError} */
export async function deleteKeys(profile: string, types: readonly ApplicationType[]): Promise<void> {
  for (const type of types)
    await useEntry(profile, type, (entry) => entry.getPassword() !== null && entry.deletePassword());
}

export async function readKeys(profile: string, types: readonly ApplicationType[]): Promise<ApiKeys> {
  const keys: ApiKeys = {};
  for (const type of types) {
    const key = await useEntry(profile, type, (entry) => entry.getPassword());
    if (key === null)
      throw new CliError('unauthorized', `The keyring has no ${type} key of the profile ${profile}.`, {
        hint: `Store it again: tokenctl auth login --keyring --profile ${profile}`,
      });
    keys[type] = key;
  }
  return keys;
}

async function useEntry<T>(profile: string, type: ApplicationType, use: (entry: Entry) => T): Promise<T> {
  // The package has native parts, so it is installed only by those who use it.
  const keyring = await import('@napi-rs/keyring').catch(() => undefined);
  if (!keyring)
    throw usageError(
      'Keys in the keyring of the system need the package @napi-rs/keyring, which is not installed.',
      'Install it where tokenctl is installed: npm install --global @napi-rs/keyring',
    );
  try {
    return use(new keyring.Entry(SERVICE, `${profile}/${type}`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('failed', `The keyring of the system cannot be used: ${reason}.`, {
      hint: 'Unlock it, or use --key-command or --key-file.',
    });
  }
}
