import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Context } from '../command.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../config/paths.js';
import { resolveDataDir } from '../config/state-file.js';
import { clientFor, connectTo } from '../connect.js';
import type { Options } from '../flags/flag.js';
import { toFailure } from '../lib/to-failure.js';
import { failureText } from '../output/failure.js';
import { createOutput } from '../output/output.js';
import { type Style, toPrintable } from '../output/style.js';
import { createPrompts } from '../prompts/prompts.js';
import { WHOLE_TENANT } from '../tenant-config/declaration/read-config.js';
import type { StartFlags } from './emulator/options.js';
import { showLogs } from './emulator/requests.js';
import { readyInfoOf, withEmulatorOfDirectory } from './emulator/start.js';
import { environmentFor, runCommand } from './emulator/temporary-emulator.js';
import { runOnChange } from './reactor/shared/watch.js';
import { requireRunningState } from './shared/running-emulator.js';
import { runApply } from './shared/tenant-config/apply.js';
import { listen, parseTarget } from './webhook/listen.js';

type DevFlags = StartFlags & { command: string[] } & Options<'forwardTo'>;

const COLORS = {
  emulator: 'dim',
  apply: 'yellow',
  events: 'green',
  app: 'cyan',
} as const satisfies Record<string, keyof Style>;

type Part = keyof typeof COLORS;

const NAME_COLUMNS = Math.max(...Object.keys(COLORS).map((name) => name.length));
/** Of the name and what follows it. */
const PREFIX_COLUMNS = NAME_COLUMNS + ' | '.length;

function openPart(part: Part, style: Style, to: NodeJS.WritableStream): PassThrough {
  const stream = new PassThrough();
  const name = toPrintable(style[COLORS[part]](`${part.padEnd(NAME_COLUMNS)} |`));
  createInterface({ input: stream }).on('line', (line) => to.write(`${name} ${line}\n`));
  return stream;
}

const openStreams = (part: Part, { output: { style } }: Context) => ({
  stdout: openPart(part, style, process.stdout),
  stderr: openPart(part, style, process.stderr),
});

async function createPartContext(part: Part, context: Context): Promise<Context> {
  const { signal } = context;
  const settings = { ...context.settings, yes: true, interactive: false };
  const { stdout, stderr } = openStreams(part, context);
  const width = settings.output.width - PREFIX_COLUMNS;
  const output = await createOutput(
    { ...settings.output, mode: 'table', jq: undefined, fields: undefined, animate: false, width },
    { stdout: { write: (text) => stdout.write(text) }, stderr },
  );
  const prompts = createPrompts(false, signal);
  const client = clientFor({ settings, signal }, () => connectTo(settings, { output, prompts }));
  return { ...context, client, output, prompts, settings };
}

async function runPart(part: Part, context: Context, run: (context: Context) => Promise<void>) {
  const own = await createPartContext(part, context);
  try {
    await run(own);
  } catch (error) {
    if (!context.signal.aborted) own.output.failure(failureText(toFailure(error as Error), own.output.style));
  } finally {
    await own.client.close();
  }
}

/** Applies the manifest whenever one of its files has changed. @param onFirst called when it has done so once, or failed */
async function applyOnChange(manifest: string, context: Context, onFirst: () => void): Promise<void> {
  const apply = (inputs: Set<string>) => {
    // Also one that is not valid yet.
    inputs.add(manifest);
    return runApply({ allowWeaken: true }, { scope: WHOLE_TENANT, inputs }, context).finally(onFirst);
  };
  await runOnChange({ watch: true }, apply, context);
}

async function runApplication({ command, forwardTo }: DevFlags, context: Context): Promise<number> {
  const { settings, output } = context;
  const state = await requireRunningState(context);
  const { control_token: controlToken, certificate, data_dir: dataDir } = state;
  // What is tried out is not recorded in the lock file, which others share.
  const throwaway = { TOKENCTL_THROWAWAY_URL: state.base_url };
  const emulator = { ready: readyInfoOf(state), controlToken, certificate };
  const env = { ...(await environmentFor(emulator, dataDir, context)), ...throwaway };
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const shared = { ...context, settings: { ...settings, env }, signal };
  const parts = [runPart('emulator', shared, (own) => showLogs({ follow: true, limit: 0 }, own))];
  const manifest = findUpwards(settings.cwd, PROJECT_FILE_NAMES);
  if (manifest !== undefined)
    await new Promise<void>((resolve) => {
      const part = runPart('apply', shared, (own) => applyOnChange(manifest, own, resolve));
      parts.push(part.finally(resolve));
    });
  if (forwardTo !== undefined) parts.push(runPart('events', shared, (own) => listen({ forwardTo }, own)));
  const colors = output.settings.color.stdout && { FORCE_COLOR: '1' };
  try {
    return await runCommand(command, { ...colors, ...env }, shared, openStreams('app', context));
  } finally {
    ended.abort();
    await Promise.all(parts);
  }
}

export async function run(flags: DevFlags, context: Context): Promise<number> {
  const { command: _, forwardTo, ...options } = flags;
  if (forwardTo !== undefined) parseTarget(forwardTo);
  let code = 0;
  await withEmulatorOfDirectory({ ...options, ensure: true }, context, async ({ ended }) => {
    const dataDir = resolveDataDir(context.settings);
    const target = {
      baseUrl: undefined,
      profile: undefined,
      local: false,
      keys: {},
      dataDir,
      dataDirFlag: dataDir,
    };
    const settings = { ...context.settings, ...target };
    code = await runApplication(flags, { ...context, settings, signal: ended });
  });
  return code;
}
