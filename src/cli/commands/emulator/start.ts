import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { DEFAULT_PORT } from '../../../contract/control/endpoints.js';
import type { ReadyInfo } from '../../../contract/control/state-file.js';
import { EMULATOR_OPTIONS, type EmulatorOption } from '../../../contract/emulator-options.js';
import type { Context } from '../../command.js';
import { registerEmulator } from '../../config/emulator-registry.js';
import { type RunningState, readRunningState } from '../../config/state-file.js';
import { type RunningEmulator, startEmulator } from '../../emulator/launch.js';
import { toKebabCase } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import { shellQuote } from '../../lib/text.js';
import { prepareSeed, seedEmulator } from '../shared/seed.js';
import { emulatorOptions, type StartFlags, storeUrl } from './options.js';
import { withProjectOptions } from './project-options.js';

type EnsuredFlags = StartFlags & { ensure?: boolean | undefined };

interface Emulator {
  /** Whether it was started for the function, and stops after it. */
  isOwn: boolean;
  /** Aborted by Ctrl-C, and by `emulator stop` if it was started here. */
  ended: AbortSignal;
}

export async function run(flags: EnsuredFlags, context: Context) {
  await withEmulatorOfDirectory(flags, context, async ({ isOwn, ended }) => {
    if (isOwn) await once(ended, 'abort');
  });
}

/** Announces the emulator of the directory, which is started unless one runs and will do, and calls a function with it. */
export async function withEmulatorOfDirectory(
  { ensure, ...flags }: EnsuredFlags,
  context: Context,
  use: (emulator: Emulator) => Promise<void>,
): Promise<void> {
  const options = await withProjectOptions(flags, EMULATOR_OPTIONS, context.settings.cwd);
  const store = storeUrl(options, context);
  const startedWith = recordedOptions(options, store, context);
  const place = options.memory ? 'in memory, lost when it stops' : store;
  const running = ensure ? await readRunningState(context.settings) : undefined;
  if (running) {
    assertSameOptions(running, startedWith, options.port);
    announce(readyInfoOf(running), { place, verb: 'is already running' }, context);
    return use({ isOwn: false, ended: context.signal });
  }
  await serve({ ...options, startedWith, place, store }, context, use);
}

interface Served extends StartFlags {
  startedWith: Record<string, string>;
  place: string | undefined;
  store: string | undefined;
}

async function serve(
  { startedWith, place, store, ...options }: Served,
  context: Context,
  use: (emulator: Emulator) => Promise<void>,
): Promise<void> {
  const { output, signal, settings } = context;
  const seed = options.seed === undefined ? undefined : await prepareSeed(options.seed, context);
  if (options.reactorRuntime === 'node')
    output.warn('Reactors run in Node.js without a sandbox. Run only code that you trust.');
  const requested = new AbortController();
  const ended = AbortSignal.any([signal, requested.signal]);
  const emulator = await startEmulator(
    { ...(await emulatorOptions(options, context, store)), startedWith, onStop: () => requested.abort() },
    seed && ((started) => seedEmulator(seed, started, context)),
  );
  let forget: (() => Promise<void>) | undefined;
  try {
    if (!ended.aborted) {
      const { data_dir } = emulator.ready;
      // A read-only home directory only keeps it out of the list.
      if (data_dir !== null) forget = await registerEmulator(settings, data_dir).catch(() => undefined);
      announce(emulator.ready, { place, verb: 'is ready' }, context);
      if (options.port === undefined) announceFreePort(emulator, context);
      await use({ isOwn: true, ended });
    }
  } finally {
    // Before the next one can start on the data directory, which has the same entry.
    await forget?.();
    await emulator.close();
  }
  output.notice('The emulator has stopped.');
}

/** What was announced when the emulator was ready, without the keys that no longer work. */
export function readyInfoOf({ base_url, public_url, pid, data_dir, ...state }: RunningState): ReadyInfo {
  const { dashboard_url = '', tenant_id = '', keys, webhook_secret = '' } = state;
  return {
    base_url: public_url ?? base_url,
    ...(public_url !== undefined && { local_url: base_url }),
    dashboard_url,
    pid,
    tenant_id,
    keys: keys as ReadyInfo['keys'],
    webhook_secret,
    data_dir,
  };
}

interface Announcement {
  place: string | undefined;
  verb: 'is ready' | 'is already running';
}

function announce(ready: ReadyInfo, announcement: Announcement, context: Context): void {
  const { output } = context;
  const { mode, chosen } = output.settings;
  const asJson = chosen && (mode === 'json' || mode === 'ndjson');
  output.text(
    asJson ? JSON.stringify({ event: 'ready', ...ready }) : readyText(ready, announcement, context),
  );
}

function announceFreePort({ url }: RunningEmulator, { output }: Context): void {
  const { port } = new URL(url);
  if (port === String(DEFAULT_PORT)) return;
  output.notice(`Port ${DEFAULT_PORT} is in use, so the emulator listens on port ${port}.`);
}

function readyText(
  ready: ReadyInfo,
  { place = `${ready.data_dir}, kept for the next start`, verb }: Announcement,
  { output: { style }, settings: { dataDirFlag } }: Context,
): string {
  const lines: [string, string | undefined][] = [
    ['listens on', ready.local_url],
    ['tenant', ready.tenant_id],
    ['management key', ready.keys?.management],
    ['private key', ready.keys?.private],
    ['public key', ready.keys?.public],
    ['webhook secret', ready.webhook_secret],
    ['data', place],
  ];
  const body = lines
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${style.dim(name.padEnd(14))}  ${value}`)
    .join('\n');
  // Behind a name, the URL would be broken within its token, and could not be copied or clicked as a whole.
  const dashboard = `  ${style.dim('dashboard')}\n  ${ready.dashboard_url}`;
  // Other commands find the directory by themselves only where it has its usual name.
  const directory = dataDirFlag === undefined ? '' : ` --data-dir ${shellQuote(dataDirFlag)}`;
  const stop =
    verb === 'is ready' ? 'Press Ctrl-C to stop it.' : `Stop it with: tokenctl emulator stop${directory}`;
  return `${style.green(`The emulator ${verb} at`)} ${style.bold(ready.base_url)}\n\n${dashboard}\n${body}\n\nWatch it with: tokenctl emulator logs --follow${directory}\n${stop}`;
}

/** Options that do not make it another emulator. */
const NOT_COMPARED = new Set(['port', 'store']);

/** Returns the options that are not the defaults, by flag, as text. Of what no message may repeat there is a digest. */
function recordedOptions(
  flags: StartFlags,
  store: string | undefined,
  { settings: { cwd, headerPrefix } }: Context,
): Record<string, string> {
  const given: Readonly<Record<string, unknown>> = flags;
  const recorded: Record<string, string> = {};
  for (const [name, row] of Object.entries<EmulatorOption>(EMULATOR_OPTIONS)) {
    const value = given[name];
    const isDefault = value === undefined || value === (row.onByDefault ?? false);
    if (isDefault || NOT_COMPARED.has(name)) continue;
    const long = `${row.onByDefault ? 'no-' : ''}${toKebabCase(name)}`;
    recorded[long] = row.onByDefault ? 'true' : textOf(value, row, cwd);
  }
  if (headerPrefix !== undefined) recorded['header-prefix'] = headerPrefix;
  if (store !== undefined) recorded.store = withoutPassword(store);
  return recorded;
}

function textOf(value: unknown, { suggest, sensitive }: EmulatorOption, cwd: string): string {
  const text =
    suggest === 'file' && typeof value === 'string' ? resolve(cwd, value) : [value].flat().join(' ');
  return sensitive ? digestOf(text) : withoutPassword(text);
}

/** A URL with a password. One is refused when the emulator starts, which `--ensure` compares before. */
const WITH_PASSWORD = /:\/\/[^/\s]*:\S*@|[?&]password=/i;

const withoutPassword = (text: string): string => (WITH_PASSWORD.test(text) ? digestOf(text) : text);

const DIGEST = 'sha256 ';

const digestOf = (text: string): string =>
  `${DIGEST}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

function assertSameOptions(
  { base_url, options: there = {} }: RunningState,
  here: Readonly<Record<string, string>>,
  port: number | undefined,
): void {
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  const differences = names
    .filter((name) => there[name] !== here[name])
    .map((name) => `--${name} ${describeDifference(there[name], here[name])}`);
  if (port && String(port) !== new URL(base_url).port) differences.push(`--port is ${port} here`);
  if (differences.length === 0) return;
  throw usageError(
    `The emulator at ${base_url} runs with other options: ${differences.join('; ')}.`,
    'Stop it first, `tokenctl emulator stop`, or give the options that it was started with.',
  );
}

function describeDifference(there: string | undefined, here: string | undefined): string {
  if (there?.startsWith(DIGEST) && here?.startsWith(DIGEST)) return 'has another value there';
  return `is ${describeValue(there)} there and ${describeValue(here)} here`;
}

function describeValue(text: string | undefined): string {
  if (text === undefined) return 'not set';
  return text === 'true' || text.startsWith(DIGEST) ? 'set' : text;
}
