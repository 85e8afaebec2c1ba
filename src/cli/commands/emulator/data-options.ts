import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { resolveDataDir } from '../../config/state-file.js';
import { dataKeySource, type EmulatorOptions } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';

/** The flags that say where and how the emulator stores its data. */
export interface DataFlags {
  memory?: boolean | undefined;
  durability?: string | undefined;
  encrypt?: string | true | undefined;
  store?: string | undefined;
}

/** Returns the URL of the database that `--store` or TOKENCTL_STORE names. */
export function storeUrl(
  { store, memory, durability }: Omit<DataFlags, 'encrypt'>,
  { settings }: Context,
): string | undefined {
  if (store === undefined) return memory ? undefined : settings.env.TOKENCTL_STORE || undefined;
  if (memory) throw usageError('--store and --memory cannot be used together.');
  if (durability !== undefined)
    throw usageError('--durability is for a data directory; with --store, every write is on disk.');
  return store;
}

/** Reads the place of the data, and its key. @param store the URL of its database */
export async function dataOptions(flags: DataFlags, context: Context, store: string | undefined) {
  return {
    dataDir: resolveDataDir(context.settings),
    memory: flags.memory,
    durability: flags.durability as EmulatorOptions['durability'],
    storeUrl: store,
    dataKey: await dataKey(flags, store, context),
  };
}

function dataKey(
  { encrypt }: DataFlags,
  store: string | undefined,
  { settings }: Context,
): Promise<NonNullable<EmulatorOptions['dataKey']>> | undefined {
  const isKeySet = store !== undefined && settings.env.TOKENCTL_DATA_KEY;
  if (encrypt === undefined && !isKeySet) return undefined;
  const file = typeof encrypt === 'string' ? resolve(settings.cwd, encrypt) : undefined;
  const name = store === undefined ? undefined : 'The database of --store';
  return dataKeySource(settings, resolveDataDir(settings), file, name);
}
