import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../command.js';
import { type RunningEmulator, startEmulator } from '../../emulator/launch.js';
import { CliError } from '../../lib/errors.js';
import { prepareSeed, seedEmulator } from '../shared/seed.js';
import { type BehaviourOptions, emulatorOptions } from './options.js';

export interface ExecOptions extends BehaviourOptions {
  command: string[];
}

/** Runs a command with a temporary emulator and returns its exit code. */
export async function run(options: ExecOptions, context: Context): Promise<number> {
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
      purpose: 'tokenctl emulator exec',
    });
    try {
      if (seed) await seedEmulator(seed, emulator, context);
      return await runCommand(options.command, environmentFor(emulator, dataDir, context), context);
    } finally {
      await emulator.close();
    }
  } finally {
    if (dataDirFlag === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the environment with this emulator as the target, without variables that would select another. */
function environmentFor(
  { ready }: RunningEmulator,
  dataDir: string,
  { settings }: Context,
): NodeJS.ProcessEnv {
  const { TOKENCTL_API_KEY: _key, TOKENCTL_PROFILE: _profile, ...rest } = settings.env;
  return {
    ...rest,
    TOKENCTL_BASE_URL: ready.base_url,
    TOKENCTL_MANAGEMENT_KEY: ready.keys.management,
    TOKENCTL_PRIVATE_KEY: ready.keys.private,
    TOKENCTL_PUBLIC_KEY: ready.keys.public,
    TOKENCTL_TENANT_ID: ready.tenant_id,
    TOKENCTL_WEBHOOK_SECRET: ready.webhook_secret,
    TOKENCTL_DATA_DIR: dataDir,
    // What is applied to it is not recorded: it is gone when the command ends.
    ...(settings.dataDirFlag === undefined && { TOKENCTL_THROWAWAY_URL: ready.base_url }),
    ...(settings.headerPrefix !== undefined && { TOKENCTL_HEADER_PREFIX: settings.headerPrefix }),
  };
}

async function runCommand(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal, settings }: Context,
): Promise<number> {
  // A listener is not called for a signal that was aborted before.
  signal.throwIfAborted();
  const child = spawn(program, args, { cwd: settings.cwd, env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to the child as well, but SIGTERM reaches only this process.
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (killedBy ? constants.signals[killedBy] : 0);
  } catch (error) {
    throw new CliError('failed', `${program} cannot be started: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
