import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { targetEnvironment } from '../../../client/control.js';
import { CONTROL_PREFIX } from '../../../contract/control/endpoints.js';
import { EMULATOR_FLAGS } from '../../../contract/emulator-options.js';
import type { Application, OperationInput } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { createInProcessClient } from '../../emulator/in-process-client.js';
import {
  type AccessByName,
  type Emulator,
  type EmulatorOptions,
  type RunningEmulator,
  startEmulator,
} from '../../emulator/launch.js';
import { CliError, describeFileError } from '../../lib/errors.js';
import { readApplications } from '../../lib/lookup.js';
import { prepareSeed, seedEmulator } from '../shared/seed.js';
import { type EmulatorFlags, emulatorOptions } from './options.js';
import { withProjectOptions } from './project-options.js';

export interface CommandOptions extends EmulatorFlags {
  command: string[];
}

/** Runs a function with an emulator on a free port. Without --data-dir, its data is discarded. */
export async function withTemporaryEmulator<Result>(
  flags: EmulatorFlags,
  own: Pick<EmulatorOptions, 'purpose' | 'leakWatch' | 'tenantAccess'>,
  context: Context,
  use: (temporary: { emulator: RunningEmulator; env: NodeJS.ProcessEnv }) => Promise<Result>,
): Promise<Result> {
  const options = await withProjectOptions(flags, EMULATOR_FLAGS, context.settings.cwd);
  const seed = options.seed === undefined ? undefined : await prepareSeed(options.seed, context);
  // A temporary directory, so that it cannot collide with another emulator.
  const { dataDirFlag } = context.settings;
  const dataDir = dataDirFlag ?? (await mkdtemp(join(tmpdir(), 'tokenctl-')));
  try {
    const started = await emulatorOptions(options, context);
    const emulator = await startEmulator({
      ...started,
      dataDir,
      memory: dataDirFlag === undefined,
      port: 0,
      // The test kits join this emulator.
      redacts: true,
      ...own,
    });
    try {
      if (seed) await seedEmulator(seed, emulator, context);
      const target = { ...emulator, certificate: started.tls?.cert };
      return await use({ emulator, env: await environmentFor(target, dataDir, context) });
    } finally {
      await emulator.close();
    }
  } finally {
    if (dataDirFlag === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

export async function environmentFor(
  {
    ready,
    controlToken,
    certificate,
  }: Pick<RunningEmulator, 'ready' | 'controlToken'> & { certificate: string | undefined },
  dataDir: string,
  { settings }: Context,
): Promise<NodeJS.ProcessEnv> {
  const { env, headerPrefix } = settings;
  return {
    ...targetEnvironment(env, { ...ready, baseUrl: ready.base_url, headerPrefix }),
    TOKENCTL_CONTROL_URL: ready.base_url + CONTROL_PREFIX,
    TOKENCTL_CONTROL_TOKEN: controlToken,
    TOKENCTL_DATA_DIR: dataDir,
    ...(certificate !== undefined && (await trustCertificate(certificate, dataDir, env))),
    // No lock file records what is applied to it: its data ends with the command.
    ...(settings.dataDirFlag === undefined && { TOKENCTL_THROWAWAY_URL: ready.base_url }),
  };
}

/** Makes Node.js programs trust the certificate of an emulator, as PEM, besides those that they are to trust already. */
async function trustCertificate(
  certificate: string,
  dataDir: string,
  { NODE_EXTRA_CA_CERTS: present }: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const others = present ? await readFile(present, 'utf8').catch(() => '') : '';
  const path = resolve(dataDir, 'trusted.pem');
  await writeFile(path, `${others}\n${certificate}`);
  return { NODE_EXTRA_CA_CERTS: path };
}

/** Where a command writes. A function receives what is passed on to the stream of this process. */
type CommandOutput = 'inherit' | number | Writable | ((chunk: Buffer) => void);

export async function runCommand(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  { signal, settings }: Pick<Context, 'signal' | 'settings'>,
  { stdout = 'inherit', stderr = 'inherit' }: { stdout?: CommandOutput; stderr?: CommandOutput } = {},
): Promise<number> {
  // A listener is not called for a signal that was aborted before.
  signal.throwIfAborted();
  const toStdio = (output: CommandOutput) =>
    typeof output === 'function' || output instanceof Writable ? 'pipe' : output;
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
  if (output instanceof Writable) from?.pipe(output);
  if (from === null || typeof output !== 'function') return;
  from.on('data', output);
  from.pipe(to, { end: false });
}

export function accessByName(
  applications: readonly Pick<Application, 'name' | 'permissions' | 'rules'>[],
): AccessByName {
  const entries = applications.map(({ name, permissions = [], rules }) => {
    // The label of a rule has no effect.
    const access = rules ? { rules: rules.map(({ description: _, ...rule }) => rule) } : { permissions };
    return [name, access] as const;
  });
  return new Map(entries);
}

/** Changes the access of applications by name. Those that do not exist yet are left out: their creator decides. */
export async function applyAccess(access: AccessByName, emulator: Emulator, context: Context): Promise<void> {
  const client = createInProcessClient({ ...emulator, close: async () => {} }, context.signal);
  const applications = await readApplications(client);
  const known = applications.filter(({ name }) => access.has(name));
  if (access.size > 0 && known.length === 0)
    throw new CliError(
      'usage',
      `None of the applications in --access exist: ${[...access.keys()].join(', ')}.`,
      {
        hint: `Applications of the emulator: ${applications.map(({ name }) => name).join(', ')}. Add others with --seed.`,
      },
    );
  // The key that changes the others loses that permission last.
  const isOwn = ({ name, type }: Application) => name === 'management' && type === 'management';
  for (const { id, name } of known.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)))) {
    const body = { name, ...access.get(name) } as OperationInput<'applications.update'>['body'];
    await client.call('applications.update', { path: { id }, body });
  }
}
