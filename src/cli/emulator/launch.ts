import { join } from 'node:path';
import type { Damage, Emulator, EmulatorOptions, RunningEmulator } from '../../../emulator/index.js';
import type { Transport } from '../../client/transport.js';
import type { Settings } from '../config/settings.js';
import { CliError, usageError } from '../lib/errors.js';

export type { Emulator, EmulatorOptions, RunningEmulator } from '../../../emulator/index.js';

/** The emulator, loaded when it is needed: the one seam between the CLI and it. */
async function load() {
  return import('../../../emulator/index.js');
}

/** What Node.js throws when it cannot listen. */
type ListenError = NodeJS.ErrnoException & { address?: string; port?: number };

/** What keeps an emulator from starting, in words; anything else is a mistake and stays as it is. */
function explain(error: unknown, options: EmulatorOptions): unknown {
  if (!(error instanceof Error)) return error;
  const { code, syscall, address, port } = error as ListenError;
  if (syscall === 'listen')
    return code === 'EADDRINUSE'
      ? new CliError('failed', `Port ${port} is taken.`, {
          hint: 'Choose another with --port, or 0 for a free one.',
        })
      : new CliError('failed', `The emulator cannot listen on ${address}${port ? `:${port}` : ''}: ${code}.`);
  if (syscall === 'getaddrinfo')
    return new CliError('failed', `The emulator cannot listen on ${options.host}: ${code}.`);
  if (error.name === 'LockedError')
    return new CliError('failed', error.message, {
      hint: 'Stop it with `tokenctl emulator stop`, or choose another --data-dir.',
    });
  if (error.name === 'InvalidApiKeyError')
    return usageError(
      error.message,
      'It comes from TOKENCTL_EMULATOR_MANAGEMENT_KEY, TOKENCTL_EMULATOR_PRIVATE_KEY or TOKENCTL_EMULATOR_PUBLIC_KEY.',
    );
  return /^(DamagedError|FormatError|WrongKeyError|InvalidKeyError|SymbolicLinkError)$/.test(error.name)
    ? new CliError('failed', error.message)
    : error;
}

/** An emulator that listens. @throws {CliError} */
export async function startEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  try {
    return await (await load()).startEmulator(options);
  } catch (error) {
    throw explain(error, options);
  }
}

/** The emulator in this process, without a socket: `--local`. @throws {CliError} */
export async function openEmulator(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await (await load()).openEmulator(options);
  } catch (error) {
    throw explain(error, options);
  }
}

/** What cannot be read of a data directory that no emulator has open. @throws {CliError} */
export async function examineDataDir(dataDir: string, options: { repair: boolean }): Promise<Damage[]> {
  try {
    return await (await load()).checkDataDir(dataDir, options);
  } catch (error) {
    throw explain(error, {});
  }
}

/** The key of a data directory: in a file, in TOKENCTL_DATA_KEY, or among the user's settings. */
export async function dataKeyOf(
  settings: Settings,
  dataDir: string,
  file?: string,
): Promise<NonNullable<EmulatorOptions['dataKey']>> {
  const text = settings.env.TOKENCTL_DATA_KEY;
  return (await load()).dataKeyFrom({
    ...(file !== undefined ? { file } : text && { text }),
    directory: join(settings.configDir, 'data-keys'),
    dataDir,
  });
}

/** Whether a data directory can only be opened with a key. @throws {CliError} */
export async function needsKey(dataDir: string): Promise<boolean> {
  try {
    return await (await load()).needsKey(dataDir);
  } catch (error) {
    throw explain(error, {});
  }
}

/** Never gives a value. @throws the reason of the signal, once it is aborted */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Carries requests to an emulator in this process. A request that is left alone ends with the emulator at the latest. */
export function localTransport(emulator: Emulator, url: string): Transport {
  return {
    url,
    async send({ method, path, headers, body, signal }) {
      signal.throwIfAborted();
      const answered = emulator.inject({
        method,
        url: path,
        headers,
        ...(body !== undefined && { body }),
      });
      const response = await Promise.race([answered, aborted(signal)]);
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return { status: response.status, headers: Object.fromEntries(flat), body: response.body };
    },
    close: () => emulator.close(),
  };
}
