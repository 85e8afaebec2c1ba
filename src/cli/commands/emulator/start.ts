import { once } from 'node:events';
import { DEFAULT_PORT } from '../../../contract/control/endpoints.js';
import type { Context } from '../../command.js';
import { type RunningEmulator, startEmulator } from '../../emulator/launch.js';
import { shellQuote } from '../../lib/text.js';
import { prepareSeed, seedEmulator } from '../shared/seed.js';
import { emulatorOptions, type StartFlags, storeUrl } from './options.js';

export async function run(options: StartFlags, context: Context) {
  const { output, signal } = context;
  const seed = options.seed === undefined ? undefined : await prepareSeed(options.seed, context);
  if (options.reactorRuntime === 'node')
    output.warn('Reactors run in Node.js without a sandbox. Run only code that you trust.');
  const store = storeUrl(options, context);
  const emulator = await startEmulator(await emulatorOptions(options, context, store));
  try {
    if (seed) await seedEmulator(seed, emulator, context);
    if (!signal.aborted) {
      announce(emulator, options.memory ? 'in memory' : store, context);
      if (options.port === undefined) announceFreePort(emulator, context);
      await once(signal, 'abort');
    }
  } finally {
    await emulator.close();
  }
  output.notice('The emulator has stopped.');
}

/** Prints the ready line as JSON or as text. @param storage where the data is, if not in the data directory */
function announce({ ready }: RunningEmulator, storage: string | undefined, context: Context): void {
  const { output } = context;
  const { mode, chosen } = output.settings;
  const asJson = chosen && (mode === 'json' || mode === 'ndjson');
  output.text(asJson ? JSON.stringify({ event: 'ready', ...ready }) : readyText(ready, storage, context));
}

function announceFreePort({ url }: RunningEmulator, { output }: Context): void {
  const { port } = new URL(url);
  if (port === String(DEFAULT_PORT)) return;
  output.notice(`Port ${DEFAULT_PORT} is in use, so the emulator listens on port ${port}.`);
}

function readyText(
  ready: RunningEmulator['ready'],
  storage: string | undefined,
  { output: { style }, settings: { dataDirFlag } }: Context,
): string {
  const lines: [string, string][] = [
    ...(ready.local_url === undefined ? [] : [['listens on', ready.local_url] satisfies [string, string]]),
    ['dashboard', ready.dashboard_url],
    ['tenant', ready.tenant_id],
    ['management key', ready.keys.management],
    ['private key', ready.keys.private],
    ['public key', ready.keys.public],
    ['webhook secret', ready.webhook_secret],
    ['data', storage ?? ready.data_dir ?? 'in memory'],
  ];
  const body = lines.map(([name, value]) => `  ${style.dim(name.padEnd(14))}  ${value}`).join('\n');
  // Other commands find the directory by themselves only where it has its usual name.
  const directory = dataDirFlag === undefined ? '' : ` --data-dir ${shellQuote(dataDirFlag)}`;
  return `${style.green('The emulator is ready at')} ${style.bold(ready.base_url)}\n\n${body}\n\nWatch it with: tokenctl emulator logs --follow${directory}\nPress Ctrl-C to stop it.`;
}
