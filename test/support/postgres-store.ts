import type { EmulatorOptions } from '../../emulator/options.js';
import { openPostgresStore } from '../../emulator/store/postgres/open-postgres-store.js';
import type { Store } from '../../emulator/store/store.js';
import { sharedPostgres } from './postgres.js';

export const DATA_KEY = Buffer.alloc(32, 7);

/** Opens a store on an empty database of its own, or on the database with this URL. */
export async function openOnPostgres(
  url?: string,
  options: Pick<EmulatorOptions, 'statementTimeoutMs'> = {},
): Promise<Store> {
  const database = url ?? (await (await sharedPostgres()).createDatabase());
  const { store } = await openPostgresStore({
    ...options,
    url: database,
    dataKey: async () => DATA_KEY,
    logger: { warn: () => {} },
  });
  return store;
}

/** The options of an emulator on an empty database of its own. */
export async function postgresOptions(): Promise<Pick<EmulatorOptions, 'storeUrl' | 'dataKey'>> {
  const storeUrl = await (await sharedPostgres()).createDatabase();
  return { storeUrl, dataKey: async () => DATA_KEY };
}
