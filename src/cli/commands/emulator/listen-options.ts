import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { validateBaseUrl } from '../../config/base-url.js';
import type { EmulatorOptions } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';
import { readTextFile } from '../../lib/text-file.js';

/** The flags that say where the emulator listens. */
export interface ListenFlags {
  port?: number | undefined;
  host?: string | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  publicUrl?: string | undefined;
}

const MAX_PORT = 65_535;

/** Reads address, certificate and public URL. @throws {CliError} when a value is not valid */
export async function listenOptions({ port, host, publicUrl, ...tls }: ListenFlags, context: Context) {
  // With an empty host, Node.js would listen on every address.
  if (host === '') throw usageError('--host must not be empty.', 'Is a shell variable unset?');
  if (port !== undefined && port > MAX_PORT) throw usageError(`--port must be at most ${MAX_PORT}.`);
  return {
    port,
    host,
    tls: await certificate(tls, context),
    publicUrl: publicUrl === undefined ? undefined : validateBaseUrl(publicUrl, '--public-url'),
  };
}

async function certificate(
  { tlsCert, tlsKey }: ListenFlags,
  { settings }: Context,
): Promise<EmulatorOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw usageError('--tls-cert and --tls-key must be given together.');
  const read = (path: string, flag: string) => readTextFile(resolve(settings.cwd, path), `${flag} ${path}`);
  return { cert: await read(tlsCert, '--tls-cert'), key: await read(tlsKey, '--tls-key') };
}
