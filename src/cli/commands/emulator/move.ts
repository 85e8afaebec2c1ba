import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { resolveDataDir } from '../../config/state-file.js';
import { dataKeySource, moveData } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';
import { shellQuote } from '../../lib/shell-quote.js';
import { createProgress } from '../../output/progress.js';

interface MoveFlags {
  to?: string | undefined;
  from?: string | undefined;
  encrypt?: string | undefined;
}

/** Moves the data of a data directory to a database, or back, and prints how many records there were. */
export async function run({ to, from, encrypt }: MoveFlags, context: Context): Promise<void> {
  const { output, settings, signal } = context;
  const storeUrl = to ?? from;
  if (storeUrl === undefined || (to !== undefined && from !== undefined)) {
    throw usageError(
      'Either --to or --from is needed.',
      'With --to, the data directory is moved to the database; with --from, the database is moved to the data directory.',
    );
  }
  const dataDir = resolveDataDir(settings);
  const dataKeys = await keys(dataDir, encrypt, context);
  const progress = createProgress(output, { unit: 'records', total: undefined });
  const { records, snapshots } = await moveData({
    dataDir,
    storeUrl,
    to: to === undefined ? 'directory' : 'database',
    ...dataKeys,
    signal,
    onCopied: (count) => progress.advance(count),
  }).finally(() => progress.stop());
  const rows = Object.entries({ ...records, snapshots }).map(([kind, count]) => ({ kind, count }));
  await output.list(
    rows.filter(({ count }) => count > 0),
    {
      redaction: 'plain',
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
async function keys(dataDir: string, encrypt: string | undefined, { settings }: Context) {
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
