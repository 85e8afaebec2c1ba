import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createControlClient, targetEnvironment } from '../../../client/control.js';
import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import { isProcessAlive } from '../../../contract/process-identity.js';
import type { Context } from '../../command.js';
import { listRunning } from '../../config/emulator-registry.js';
import { RESTART_EMULATOR } from '../../config/keys.js';
import type { Settings } from '../../config/settings.js';
import {
  type RunningState,
  readRunningState,
  readStateFile,
  resolveDataDir,
} from '../../config/state-file.js';
import { EMULATOR_SHUTDOWN_MS } from '../../emulator/launch.js';
import { CliError } from '../../lib/errors.js';
import type { PlainView } from '../../output/view.js';
import { callControl, requireRunningState } from '../shared/running-emulator.js';

const STATUS_VIEW: PlainView = {
  // Only a running emulator has them.
  optional: ['base_url', 'dashboard_url', 'tenant_id', 'pid', 'clock'],
};

export async function showStatus(_options: object, context: Context): Promise<number | undefined> {
  const { output, settings } = context;
  const version = output.settings.mode !== 'table' && { version: 1 };
  const state = await readRunningState(settings);
  if (!state) {
    await output.plain({ ...version, running: false, data_dir: resolveDataDir(settings) }, STATUS_VIEW);
    return 1;
  }
  const { base_url, dashboard_url, tenant_id, pid, data_dir } = state;
  const clock = await callControl(context, 'clock.get');
  // The fragment of the dashboard URL contains the control token.
  const dashboard = dashboard_url?.replace(/#.*/, '');
  await output.plain(
    { ...version, running: true, base_url, dashboard_url: dashboard, tenant_id, pid, data_dir, clock },
    STATUS_VIEW,
  );
  return undefined;
}

const POLL_MS = 25;
/** Time to wait for the process to exit, in milliseconds: its own time limit and some more. */
const TIMEOUT_MS = EMULATOR_SHUTDOWN_MS + 5_000;

export async function stopEmulator({ all }: { all?: boolean | undefined }, context: Context) {
  const states = all ? await listRunning(context.settings) : [await requireRunningState(context)];
  if (states.length === 0) context.output.notice('No emulator is running.');
  const errors: unknown[] = [];
  // One that cannot be stopped does not keep the others running.
  for (const state of states) {
    const stopped = stop(state, context).then(() =>
      context.output.notice(`Stopped the emulator at ${state.base_url}.`),
    );
    await stopped.catch((error) => errors.push(error));
    context.signal.throwIfAborted();
  }
  if (errors.length > 0) throw errors[0];
}

/** Waits until the process has ended, which finishes the requests in flight before. */
async function stop(state: RunningState, { output, signal }: Context): Promise<void> {
  const control = await createControlClient(state, signal);
  await control.call('stop').finally(() => control.close());
  await output.wait('Waiting for the emulator to finish its requests …', () => waitForEnd(state, signal));
}

async function waitForEnd({ pid, base_url }: RunningState, signal: AbortSignal): Promise<void> {
  for (let waited = 0; isProcessAlive(pid); waited += POLL_MS) {
    if (waited >= TIMEOUT_MS)
      throw new CliError('timeout', `The emulator at ${base_url} (process ${pid}) has not stopped in time.`);
    await sleep(POLL_MS, undefined, { signal });
  }
}

export async function listEmulators(_options: object, { output, settings }: Context) {
  const states = await listRunning(settings);
  const rows = states.map(({ base_url, data_dir, pid, tenant_id, options = {} }) => ({
    base_url,
    data_dir,
    pid,
    tenant_id,
    options,
  }));
  await output.plainList(rows, {
    columns: [
      { title: 'URL', field: 'base_url', importance: 4 },
      { title: 'PID', field: 'pid', importance: 2 },
      { title: 'DATA DIRECTORY', field: 'data_dir', importance: 3 },
      { title: 'OPTIONS', field: 'options', show: (options) => describeOptions(options), importance: 1 },
    ],
    empty: 'No emulator is running.',
  });
}

const describeOptions = (options: unknown): string =>
  Object.entries(options as Record<string, string>)
    .map(([name, value]) => (value === 'true' ? `--${name}` : `--${name} ${value}`))
    .join(' ');

/** Their values are addresses, ids and keys, which need no quotes. */
const formatDotenv = (variables: NodeJS.ProcessEnv): string =>
  Object.entries(variables)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** Prints the keys from the state file, which holds those that work. The emulator need not run. */
export async function showKeys({ format }: { format?: string | undefined }, { output, settings }: Context) {
  const state = await readStateFile(settings);
  if (!state?.keys)
    throw new CliError('failed', `No emulator has been started on ${resolveDataDir(settings)}.`, {
      hint: 'Start one with `tokenctl emulator start`, or set --data-dir.',
    });
  const { tenant_id = '', keys, webhook_secret = '', base_url: baseUrl = '' } = state;
  if (format === undefined) await output.plain({ tenant_id, keys, webhook_secret });
  else await output.text(formatDotenv(targetEnvironment({}, { baseUrl, keys, tenant_id, webhook_secret })));
  for (const type of APPLICATION_TYPES.filter((name) => keys[name] === undefined))
    output.warn(`The ${type} key was deleted or has expired. A start creates a new one: ${RESTART_EMULATOR}`);
}

/** The program that opens a URL in the browser, by platform; xdg-open on others. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export async function openDashboard(_options: object, context: Context) {
  const { output, settings } = context;
  const { dashboard_url: url } = await requireRunningState(context);
  if (url === undefined)
    throw new CliError('failed', 'The state file of this emulator has no dashboard URL.');
  const [program, ...args] = OPENERS[settings.platform] ?? ['xdg-open'];
  if (hasDisplay(settings) && (await startDetached(program, [...args, url])))
    return output.notice('Opening the dashboard …');
  await output.plain({ dashboard_url: url }, { render: () => url });
}

/** Reports whether there is a screen for a browser, which over SSH and in a container there is not. */
function hasDisplay({ platform, env }: Settings): boolean {
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

function startDetached(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.unref();
  return once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
