import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { targetEnvironment } from '../../../client/control.js';
import { CONTROL_PREFIX } from '../../../contract/control/endpoints.js';
import type { Context } from '../../command.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../emulator/launch.js';
import { CliError, describeFileError } from '../../lib/errors.js';
import { prepareSeed, seedEmulator } from '../shared/seed.js';
import { type EmulatorFlags, emulatorOptions } from './options.js';

/** An emulator that is seeded, and the environment that makes it the target of a command. */
interface TemporaryEmulator {
  emulator: RunningEmulator;
  env: NodeJS.ProcessEnv;
}

export interface CommandOptions extends EmulatorFlags {
  command: string[];
}

/** Runs a function with an emulator on a free port. Without --data-dir, its data is discarded. */
export async function withTemporaryEmulator<Result>(
  options: EmulatorFlags,
  own: Pick<EmulatorOptions, 'purpose' | 'leakWatch' | 'tenantAccess'>,
  context: Context,
  use: (temporary: TemporaryEmulator) => Promise<Result>,
): Promise<Result> {
  const seed = options.seed === undefined ? undefined : await prepareSeed(options.seed, context);
  // A temporary directory, so that it cannot collide with another emulator.
  const { dataDirFlag } = context.settings;
  const dataDir = dataDirFlag ?? (await mkdtemp(join(tmpdir(), 'tokenctl-')));
  try {
    const emulator = await startEmulator({
      ...(await emulatorOptions(options, context)),
      dataDir,
      memory: dataDirFlag === undefined,
      port: 0,
      // The test kits join this emulator.
      redacts: true,
      ...own,
    });
    try {
      if (seed) await seedEmulator(seed, emulator, context);
      return await use({ emulator, env: environmentFor(emulator, dataDir, context) });
    } finally {
      await emulator.close();
    }
  } finally {
    if (dataDirFlag === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

function environmentFor(
  { ready, controlToken }: RunningEmulator,
  dataDir: string,
  { settings }: Context,
): NodeJS.ProcessEnv {
  const { env, headerPrefix } = settings;
  return {
    ...targetEnvironment(env, { ...ready, baseUrl: ready.base_url, headerPrefix }),
    TOKENCTL_CONTROL_URL: ready.base_url + CONTROL_PREFIX,
    TOKENCTL_CONTROL_TOKEN: controlToken,
    TOKENCTL_DATA_DIR: dataDir,
    // No lock file records what is applied to it: its data ends with the command.
    ...(settings.dataDirFlag === undefined && { TOKENCTL_THROWAWAY_URL: ready.base_url }),
  };
}

/** Where a command writes. A function receives what is passed on to the stream of this process. */
type CommandOutput = 'inherit' | 'ignore' | number | ((chunk: Buffer) => void);

/** Runs a command and returns its exit code. @throws {CliError} when it cannot be started */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal, settings }: Context,
  { stdout = 'inherit', stderr = 'inherit' }: { stdout?: CommandOutput; stderr?: CommandOutput } = {},
): Promise<number> {
  // A listener is not called for a signal that was aborted before.
  signal.throwIfAborted();
  const toStdio = (output: CommandOutput) => (typeof output === 'function' ? 'pipe' : output);
  const child = spawn(program, args, {
    cwd: settings.cwd,
    env,
    stdio: ['inherit', toStdio(stdout), toStdio(stderr)],
  });
  passThrough(child.stdout, process.stdout, stdout);
  passThrough(child.stderr, process.stderr, stderr);
  // The terminal sends Ctrl-C to the child as well, but SIGTERM reaches only this process.
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (killedBy ? constants.signals[killedBy] : 0);
  } catch (error) {
    const reason = describeFileError((error as NodeJS.ErrnoException).code);
    throw new CliError('failed', `${program} cannot be started: ${reason}.`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function passThrough(
  from: NodeJS.ReadableStream | null,
  to: NodeJS.WritableStream,
  output: CommandOutput,
): void {
  if (from === null || typeof output !== 'function') return;
  from.on('data', output);
  from.pipe(to, { end: false });
}
