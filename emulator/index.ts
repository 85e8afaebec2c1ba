import type { FastifyInstance, InjectOptions } from 'fastify';
import type { EmulatorEvent } from '../src/contract/control/events.js';
import type { Address, Credentials, ReadyInfo } from '../src/contract/control/state-file.js';
import { AccessRecorder, type RecordedAccess } from './access/access-recorder.js';
import { createEmulator, type EmulatorParts } from './create-emulator.js';
import { listen } from './http/listen.js';
import { IN_PROCESS } from './http/pipeline.js';
import type { AdjustableClock } from './lib/clock.js';
import { DEFAULT_HOST, type EmulatorOptions } from './options.js';

export type { EmulatorEvent } from '../src/contract/control/events.js';
export type { Leak } from '../src/contract/control/leaks.js';
export type {
  Credentials,
  PerApplication,
  ReadyInfo,
  StateFile,
} from '../src/contract/control/state-file.js';
export type { RecordedAccess } from './access/access-recorder.js';
export { type Moved, type MoveOptions, moveData } from './data-dir/move/move.js';
export { checkDataDir, needsKey } from './data-dir/open-storage.js';
export type { AdjustableClock } from './lib/clock.js';
export { StartError, type StartErrorCode } from './lib/start-error.js';
export type { EmulatorOptions } from './options.js';
export { hasStuckWorkers } from './sandbox/index.js';
export type { HttpRequest, HttpResponse } from './sandbox/network/http-client.js';
export type { InterceptRequest } from './sandbox/network/request-report.js';
export type { CodeOrigin } from './sandbox/protocol.js';
export { LeakWatch } from './services/leaks/leak-watch.js';
export type { AccessByName } from './services/tenants/seed-tenant.js';
export { dataKeyFrom } from './store/data-key.js';
export { isDiskFull, StorageError } from './store/errors.js';
export { migrateDatabase } from './store/postgres/migrate-database.js';
export type { Damage } from './store/recovery/inspect.js';

export interface InjectRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface InjectResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

/** A running emulator, reachable in-process. */
export interface Emulator extends Credentials {
  readonly clock: AdjustableClock;
  /** Sends a request through the same pipeline as over HTTP, without a socket. */
  inject(request: InjectRequest): Promise<InjectResponse>;
  /** Subscribes to events: requests, console lines and requests of reactors, callbacks. @returns a function that unsubscribes */
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  /** Records from now on which access the applications need. @returns a function that returns the recording */
  recordAccess(): () => RecordedAccess[];
  /** Bearer token of the control endpoints. */
  readonly controlToken: string;
  /** Finishes the requests in flight, stores everything and unlocks the data directory. */
  close(): Promise<void>;
}

export interface RunningEmulator extends Emulator {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  /** The contents of the ready line. */
  readonly ready: ReadyInfo;
}

/** The dashboard URL holds the control token in its fragment, which browsers never send to a server. */
function addressOf(
  local_url: string,
  { state }: EmulatorParts,
  { publicUrl, tls }: Pick<EmulatorOptions, 'publicUrl' | 'tls'>,
): Address {
  const base_url = publicUrl ?? local_url;
  const dashboard_url = `${base_url}/_emulator/ui#token=${state.controlToken}`;
  return {
    base_url,
    dashboard_url,
    pid: process.pid,
    ...(base_url !== local_url && { local_url }),
    ...(tls && { certificate: tls.cert }),
  };
}

function credentialsOf({ context }: EmulatorParts): Credentials {
  const [first] = context.seeded.credentials.list();
  if (!first) throw new Error('The emulator has no tenant after its start.');
  // The start has created the keys that were missing.
  return first as Credentials;
}

function emulatorOf(parts: EmulatorParts): Emulator {
  const { app, clock, context, state, close } = parts;
  const { controlToken } = state;
  return {
    ...credentialsOf(parts),
    clock,
    controlToken,
    subscribe(listener) {
      context.records.on('event', listener);
      return () => void context.records.off('event', listener);
    },
    recordAccess() {
      const recorder = new AccessRecorder();
      context.records.on('check', (check, application) => recorder.add(check, application));
      return () => recorder.result();
    },
    inject: (request) => injectInto(app, request),
    close,
  };
}

/** Opens an emulator in-process, without a socket. @param preparation `warmSandbox` if a reactor will be invoked */
export async function openEmulator(
  options: EmulatorOptions = {},
  preparation: { warmSandbox?: boolean } = {},
): Promise<Emulator> {
  const parts = await createEmulator(options, preparation);
  parts.accept();
  return emulatorOf(parts);
}

/** Work to do before an emulator reports that it is ready. */
type Prepare = (emulator: Emulator) => Promise<void>;

async function serve(parts: EmulatorParts, options: EmulatorOptions, prepare: Prepare | undefined) {
  const { port, host = DEFAULT_HOST, headerPrefix, startedWith } = options;
  const url = await listen(parts.app, host, port);
  await prepare?.(emulatorOf(parts));
  parts.accept();
  const address = addressOf(url, parts, options);
  await parts.state.setAddress({
    ...address,
    ...(headerPrefix !== undefined && { header_prefix: headerPrefix }),
    ...(startedWith && { options: startedWith }),
  });
  const data_dir = parts.state.dataDir ?? null;
  return { ...emulatorOf(parts), url, ready: { ...address, ...credentialsOf(parts), data_dir } };
}

/**
 * Starts an emulator; resolves when it accepts requests.
 * @param preparation without `warmSandbox`, the sandbox starts with the first invocation of a reactor; `prepare` is done before
 * the emulator is ready
 * @throws {StartError}
 */
export async function startEmulator(
  options: EmulatorOptions = {},
  { warmSandbox = true, prepare }: { warmSandbox?: boolean; prepare?: Prepare | undefined } = {},
): Promise<RunningEmulator> {
  const parts = await createEmulator(options, { warmSandbox });
  try {
    return await serve(parts, options, prepare);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function injectInto(app: FastifyInstance, request: InjectRequest): Promise<InjectResponse> {
  const { method, url, headers = {}, body } = request;
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers,
    remoteAddress: IN_PROCESS,
    ...(body !== undefined && { payload: body }),
  });
  return {
    status: response.statusCode,
    headers: response.headers as InjectResponse['headers'],
    body: response.body,
  };
}
