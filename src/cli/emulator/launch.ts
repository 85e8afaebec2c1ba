import { join } from 'node:path';
import type { Emulator, EmulatorOptions, StartErrorCode } from '../../../emulator/index.js';
import { LIMITS } from '../../contract/limits.js';
import type { Settings } from '../config/settings.js';
import { CliError } from '../lib/errors.js';
import { openStderr } from '../lib/stderr.js';

export type {
  AccessByName,
  CodeOrigin,
  Emulator,
  EmulatorOptions,
  HttpRequest,
  HttpResponse,
  InterceptRequest,
  Leak,
  LeakWatch,
  RecordedAccess,
  RunningEmulator,
} from '../../../emulator/index.js';

type EmulatorModule = typeof import('../../../emulator/index.js');

const PASSWORD_HINT =
  'Set PGPASSWORD, or write the password to ~/.pgpass or to the file that PGPASSFILE names.';

const DISK_FULL = 'The disk that holds the data is full.';
const STORAGE_HINT = 'Check the disk and its permissions. What is stored is still there.';
const DISK_FULL_HINT = 'Free some space, and run the command again. What is stored is still there.';

/** Errors in what was typed or set, not in what it refers to. */
const USAGE: readonly StartErrorCode[] = [
  'invalid_api_key',
  'invalid_certificate',
  'invalid_option',
  'invalid_store_url',
  'password_in_store_url',
];

/** What stops a start with the exit code of a service that cannot be reached (decisions.md, "Damage"). */
const UNREACHABLE: readonly StartErrorCode[] = ['data_dir_damaged', 'store_unreachable'];

const HINTS: Partial<Record<StartErrorCode, string>> = {
  data_moved:
    'Use it with `tokenctl emulator start --store URL`, or delete the directory to begin with empty data.',
  data_dir_locked:
    'Print its address with `tokenctl emulator start --ensure`, stop it with `tokenctl emulator stop`, or choose another --data-dir.',
  invalid_store_url: 'The URL comes from --store or TOKENCTL_STORE.',
  invalid_certificate: 'Check --tls-cert and --tls-key: openssl x509 -in CERT -noout -text',
  invalid_data_key: 'TOKENCTL_DATA_KEY can hold the key; `emulator start` also takes a file, with --encrypt.',
  port_in_use: 'Choose another port with --port, or a free one with --port 0.',
  password_in_store_url: PASSWORD_HINT,
  store_access_denied: PASSWORD_HINT,
  store_unreachable: 'Check its host and port with `pg_isready`.',
  store_tls:
    'Name the certificate of its authority in the URL of the store: ?sslmode=verify-full&sslrootcert=FILE.',
  store_without_tls: 'Enable TLS on the server, or leave sslmode out of the URL to connect without it.',
  store_read_only: 'Name the primary server in the URL of the store.',
  store_pooler:
    'Set pool_mode = session in PgBouncer for this database, or name the server itself in the URL of the store.',
  store_missing: 'Create it with `createdb`, or choose another one.',
  store_in_use: 'Stop the emulators that use it, and try again.',
  target_not_empty:
    'Choose an empty one, or remove what is there with `dropdb` or by deleting the directory.',
  move_unfinished:
    'Run the same `tokenctl emulator move` again: the source still has everything. Or remove what was moved so far.',
  store_permission_missing:
    'Run `tokenctl emulator migrate` as a user who may create the schema "tokenctl". Grant others USAGE on it, and SELECT, INSERT, UPDATE and DELETE on its tables; `emulator move` needs TRUNCATE too.',
  invalid_api_key:
    'It comes from TOKENCTL_EMULATOR_MANAGEMENT_KEY, TOKENCTL_EMULATOR_PRIVATE_KEY or TOKENCTL_EMULATOR_PUBLIC_KEY.',
};

/** Loads the emulator, which most commands do without, and reports its start-up errors with a hint. @throws {CliError} */
export async function withEmulator<Result>(use: (emulator: EmulatorModule) => Promise<Result>) {
  const emulator = await import('../../../emulator/index.js');
  endDespiteStuckWorkers(emulator.hasStuckWorkers);
  try {
    return await use(emulator);
  } catch (error) {
    if (emulator.isDiskFull(error)) throw new CliError('failed', DISK_FULL, { hint: DISK_FULL_HINT });
    if (error instanceof emulator.StorageError)
      throw new CliError('failed', `${error.message}.`, { hint: STORAGE_HINT });
    if (!(error instanceof emulator.StartError)) throw error;
    const { code } = error;
    const category = UNREACHABLE.includes(code) ? 'unreachable' : USAGE.includes(code) ? 'usage' : 'failed';
    throw new CliError(category, error.message, { hint: HINTS[code] });
  }
}

/** @param prepare is done before the emulator is ready */
export function startEmulator(options: EmulatorOptions, prepare?: (emulator: Emulator) => Promise<void>) {
  // Its log goes there.
  openStderr();
  return withEmulator((emulator) => emulator.startEmulator(options, { prepare }));
}

/** Opens an emulator in this process that has no socket. @throws {CliError} */
export function openEmulator(options: EmulatorOptions, preparation: { warmSandbox?: boolean } = {}) {
  return withEmulator((emulator) => emulator.openEmulator(options, preparation));
}

/** Returns the source of a data directory's key: a file, TOKENCTL_DATA_KEY, or a key kept in the user's configuration. */
export function dataKeySource(settings: Settings, dataDir: string, file?: string, name?: string) {
  const text = settings.env.TOKENCTL_DATA_KEY;
  return withEmulator(async ({ dataKeyFrom }) =>
    dataKeyFrom({
      ...(file !== undefined ? { file } : text && { text }),
      directory: join(settings.configDir, 'data-keys'),
      dataDir,
      ...(name !== undefined && { name }),
    }),
  );
}

/** Time for an emulator to finish its requests, one of which may run a reactor, and to flush its data. Milliseconds. */
export const EMULATOR_SHUTDOWN_MS = LIMITS.syncTimeoutMs + 30_000;

type HasStuckWorkers = () => boolean;

const registered = new Set<HasStuckWorkers>();

/**
 * Makes the process really end. A thread in a native call cannot be stopped, and the exit of a process waits for its threads,
 * so the process kills itself once everything else is done and the data is stored.
 */
export function endDespiteStuckWorkers(hasStuckWorkers: HasStuckWorkers): void {
  if (registered.has(hasStuckWorkers)) return;
  registered.add(hasStuckWorkers);
  process.on('exit', () => {
    if (hasStuckWorkers()) process.kill(process.pid, 'SIGKILL');
  });
}
