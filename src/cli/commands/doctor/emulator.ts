import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import * as http from 'node:http';
import { createServer } from 'node:net';
import { createControlClient } from '../../../client/control.js';
import { CONTROL_PREFIX, controlEndpoints, DEFAULT_PORT } from '../../../contract/control/endpoints.js';
import { isProcessAlive } from '../../../contract/process-identity.js';
import type { Context } from '../../command.js';
import {
  type RunningState,
  readRunningState,
  readStateFile,
  resolveDataDir,
} from '../../config/state-file.js';
import { type CheckResult, passed, problem, warning } from './check.js';

const CHECK = 'emulator';
const HOST = '127.0.0.1';
const TIMEOUT_MS = 5_000;

/** Checks the emulator of this directory: that the one that runs responds, or that one could listen. */
export async function* checkEmulator(
  port: number | undefined,
  context: Context,
): AsyncGenerator<CheckResult, void, void> {
  const { settings } = context;
  // `checkDataDirectory` reports a state file that cannot be read.
  const state = await readStateFile(settings).catch(() => undefined);
  const running = state && (await readRunningState(settings));
  if (running) return yield await checkResponds(running, context);
  const wasKilled = state?.pid !== undefined && !isProcessAlive(state.pid);
  yield wasKilled
    ? warning(CHECK, 'was killed; its data is kept', 'tokenctl emulator start')
    : passed(CHECK, 'does not run for this directory');
  const directory = await stat(resolveDataDir(settings)).catch(() => undefined);
  if (port !== undefined || directory !== undefined) yield await checkPort(port);
}

async function checkResponds(state: RunningState, { signal }: Context): Promise<CheckResult> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const control = await createControlClient(state, limit);
  try {
    await control.call('ready');
    return passed(CHECK, `ready at ${state.base_url}`);
  } catch {
    signal.throwIfAborted();
    return problem(
      CHECK,
      'unreachable',
      `process ${state.pid} runs, but the emulator does not respond at ${state.base_url}`,
      `If it is an emulator, end it: kill ${state.pid}. Then: tokenctl emulator start`,
    );
  } finally {
    await control.close();
  }
}

/** Checks that `emulator start` could listen on a port; without one, it uses the default or a free one. */
async function checkPort(wanted: number | undefined): Promise<CheckResult> {
  const port = wanted ?? DEFAULT_PORT;
  const code = await listenError(HOST, port);
  if (code === undefined) return passed('port', `${port} is free`);
  const fix = 'tokenctl emulator start --port 0';
  if (code !== 'EADDRINUSE') return problem('port', 'failed', `${port} cannot be listened on: ${code}`, fix);
  const owner = (await isEmulator(port)) ? 'the emulator of another directory' : 'another program';
  const detail = `${port} is taken by ${owner}`;
  if (wanted !== undefined) return problem('port', 'failed', detail, fix);
  return passed('port', `${detail}; emulator start picks a free one`);
}

/** Returns why a port cannot be listened on: Node's code, such as `EADDRINUSE`; undefined if it can. */
async function listenError(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    server.close();
  }
}

function isEmulator(port: number): Promise<boolean> {
  const path = CONTROL_PREFIX + controlEndpoints.health.path;
  const request = http.get({ host: HOST, port, path, timeout: TIMEOUT_MS });
  return new Promise<boolean>((resolve) => {
    request
      .once('response', ({ statusCode, headers }) => resolve(statusCode === 200 && 'svc-trace-id' in headers))
      .once('timeout', () => resolve(false))
      .once('error', () => resolve(false));
  }).finally(() => request.destroy());
}
