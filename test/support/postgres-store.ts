import { onTestFinished } from 'vitest';
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
  const database = url ?? (await newDatabase());
  const { store } = await openPostgresStore({
    ...options,
    url: database,
    dataKey: async () => DATA_KEY,
    logger: { warn: () => {} },
  });
  return store;
}

/** The URL of an empty database. */
export async function newDatabase(): Promise<string> {
  return (await sharedPostgres()).createDatabase();
}

/** Opens such a store until the test ends. */
export async function useOnPostgres(...[url, options]: Parameters<typeof openOnPostgres>): Promise<Store> {
  const store = await openOnPostgres(url, options);
  onTestFinished(() => store.close());
  return store;
}

/** The options of an emulator on an empty database of its own. */
export async function postgresOptions(): Promise<Pick<EmulatorOptions, 'storeUrl' | 'dataKey'>> {
  return { storeUrl: await newDatabase(), dataKey: async () => DATA_KEY };
}
