import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../lib/errors.js';
import type { Keys } from './settings.js';

export interface Profile {
  base_url: string;
  header_prefix?: string | undefined;
  keys: Keys;
}

export interface UserConfig {
  /** The profile used when none is named. */
  current?: string | undefined;
  profiles: Record<string, Profile>;
}

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

export function configPath(configDir: string): string {
  return join(configDir, 'config.json');
}

async function open(configDir: string) {
  const { JSONFilePreset } = await import('lowdb/node');
  try {
    return await JSONFilePreset<UserConfig>(configPath(configDir), { profiles: {} });
  } catch {
    throw usageError(
      `The configuration file ${configPath(configDir)} cannot be read or is not JSON.`,
      'Mend it, or remove it and run `tokenctl auth login`.',
    );
  }
}

/** The user's configuration; empty when there is none. */
export async function readUserConfig(configDir: string): Promise<UserConfig> {
  // Most runs are against an emulator and have no configuration: they need not load lowdb.
  if (!existsSync(configPath(configDir))) return { profiles: {} };
  const { data } = await open(configDir);
  return { ...data, profiles: data.profiles ?? {} };
}

/** Changes the configuration; its file is readable by the user alone, since it holds keys. */
export async function changeUserConfig(
  configDir: string,
  change: (config: UserConfig) => void,
): Promise<void> {
  await mkdir(configDir, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  const previous = process.umask(0o077);
  try {
    const config = await open(configDir);
    await config.update(change);
    await chmod(configPath(configDir), OWNER_ONLY_FILE);
  } finally {
    process.umask(previous);
  }
}
