import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { resolveDataDir } from '../../config/state-file.js';
import { dataKeySource, withEmulator } from '../../emulator/launch.js';
import type { Options } from '../../flags/flag.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';
import { parseJson } from '../../lib/json.js';
import { countOf, shellQuote } from '../../lib/text.js';
import { readTextFile } from '../../lib/text-file.js';
import { createProgress } from '../../output/progress.js';
import { callControl, requireRunningState, type TenantOption } from '../shared/running-emulator.js';
import { prepareSeed } from '../shared/seed.js';
import { storeUrl } from './options.js';

export async function checkStore({ repair = false }: { repair?: boolean | undefined }, context: Context) {
  const { output, settings } = context;
  const dataDir = resolveDataDir(settings);
  if (!existsSync(dataDir)) throw usageError(`There is no data directory ${dataDir}.`);
  const damages = await withEmulator(({ checkDataDir }) => checkDataDir(dataDir, { repair }));
  await output.plainList(damages, {
    columns: [
      { title: 'FILE', field: 'file' },
      { title: 'LINE', field: 'line', importance: 1 },
      { title: 'PROBLEM', field: 'problem' },
    ],
    empty: `No damage found in ${dataDir}.`,
  });
  if (damages.length === 0) return;
  if (!repair) {
    throw new CliError(
      'failed',
      `${damages.length} damaged ${damages.length === 1 ? 'place' : 'places'} in ${dataDir}.`,
      { hint: 'Keep the rest and move the damaged files to damaged/: tokenctl emulator doctor --repair' },
    );
  }
  output.notice(`Kept everything readable. The damaged files are in ${dataDir}/damaged.`);
}

type MigrateOptions = Options<'store'> & Options<'dryRun', boolean>;

export async function migrateStore({ store, dryRun = false }: MigrateOptions, context: Context) {
  const url = storeUrl({ store, memory: undefined, durability: undefined }, context);
  if (url === undefined) {
    throw usageError(
      'No database is given.',
      'Set --store or TOKENCTL_STORE to a URL such as postgres://user@host/database.',
    );
  }
  const migrations = await withEmulator(({ migrateDatabase }) => migrateDatabase(url, { dryRun }));
  await context.output.plainList(migrations, {
    columns: [
      { title: 'VERSION', field: 'version' },
      { title: 'NAME', field: 'name' },
    ],
    empty: 'The database is up to date.',
  });
  if (migrations.length === 0) return;
  context.output.notice(dryRun ? 'Nothing was changed.' : 'The database is up to date now.');
}

type MoveFlags = Options<'to' | 'from' | 'encrypt'>;

export async function moveStore({ to, from, encrypt }: MoveFlags, context: Context) {
  const { output, settings, signal } = context;
  const storeUrl = to ?? from;
  if (storeUrl === undefined || (to !== undefined && from !== undefined)) {
    throw usageError(
      'Either --to or --from is needed.',
      'With --to, the data directory is moved to the database; with --from, the database is moved to the data directory.',
    );
  }
  const dataDir = resolveDataDir(settings);
  const dataKeys = await dataKeysOf(dataDir, encrypt, context);
  const progress = createProgress(output, { unit: 'records', total: undefined });
  const move = {
    dataDir,
    storeUrl,
    to: to === undefined ? ('directory' as const) : ('database' as const),
    ...dataKeys,
    signal,
    onCopied: (count: number) => progress.advance(count),
  };
  const moved = withEmulator(({ moveData }) => moveData(move));
  const { records, snapshots } = await moved.finally(() => progress.stop());
  const rows = Object.entries({ ...records, snapshots }).map(([kind, count]) => ({ kind, count }));
  await output.plainList(
    rows.filter(({ count }) => count > 0),
    {
      columns: [
        { title: 'KIND', field: 'kind' },
        { title: 'COUNT', field: 'count' },
      ],
      empty: '',
    },
  );
  const [source, target] = to === undefined ? ['The database', dataDir] : [dataDir, 'the database'];
  output.notice(`Everything is in ${target}, compared record by record. ${source} is empty now.`);
  if (to === undefined) return;
  const key = encrypt === undefined ? '' : ` --encrypt ${shellQuote(encrypt)}`;
  output.notice(`Start the emulator on it: tokenctl emulator start --store ${shellQuote(to)}${key}`);
}

/** The database has the key of --encrypt or TOKENCTL_DATA_KEY. So has the directory, unless it has one of its own. */
async function dataKeysOf(dataDir: string, encrypt: string | undefined, { settings }: Context) {
  const file = encrypt === undefined ? undefined : resolve(settings.cwd, encrypt);
  if (file === undefined && !settings.env.TOKENCTL_DATA_KEY) {
    throw usageError(
      'The key of the database is missing.',
      'Set --encrypt to its file, or TOKENCTL_DATA_KEY to the key.',
    );
  }
  const databaseKey = await dataKeySource(settings, dataDir, file, 'The database');
  const ownKey = await dataKeySource({ ...settings, env: {} }, dataDir);
  const directoryKey: typeof databaseKey = async (storeId, isNew) =>
    isNew ? databaseKey(storeId, isNew) : ownKey(storeId, false).catch(() => databaseKey(storeId, false));
  return { databaseKey, directoryKey };
}

export async function resetData({ tenant }: TenantOption, context: Context) {
  await callControl(context, 'reset', { tenant });
  const what = tenant === undefined ? 'the emulator' : `tenant ${tenant}`;
  context.output.notice(`Deleted all data of ${what}. The tenant and its keys are kept.`);
}

export async function seedData({ file }: { file: string }, context: Context) {
  const seed = await prepareSeed(file, context);
  // Always the emulator of this directory, even if other commands have another target.
  const { createClient } = await import('../../../client/client.js');
  const { base_url, header_prefix, certificate, keys = {} } = await requireRunningState(context);
  const client = createClient({
    baseUrl: base_url,
    apiKey: keys,
    headerPrefix: header_prefix,
    certificate,
    signal: context.signal,
  });
  try {
    const created = await seed(client);
    context.output.notice(`Created ${countOf(created, 'item')}. Existing items are unchanged.`);
  } finally {
    await client.close();
  }
}

export async function exportTenant(
  { file, tenant }: { file: string; tenant?: string | undefined },
  context: Context,
) {
  const id = tenant ?? (await requireRunningState(context)).tenant_id ?? '';
  const content = await callControl(context, 'tenants.export', { path: { id } });
  const text = JSON.stringify(content, null, 2);
  if (file === '-') return context.output.text(text);
  await writeFileAtomically(resolve(context.settings.cwd, file), `${text}\n`);
  context.output.notice(`Exported the tenant to ${file}. The file contains token data and secrets.`);
}

export async function importTenant({ file }: { file: string }, context: Context) {
  const content = parseJson(await readTextFile(resolve(context.settings.cwd, file), file), file);
  await callControl(context, 'tenants.import', { body: content });
  context.output.notice(`Imported the tenant in ${file}. \`tokenctl emulator keys\` shows its keys.`);
}
