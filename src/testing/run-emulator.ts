import { resolve } from 'node:path';
import type { EmulatorOptions } from '../../emulator/index.js';
import {
  addressFromEnvironment,
  addressOf,
  connectControl,
  connectEmulator,
  type EmulatorAddress,
  loadEmulator,
  startEmulator,
} from './emulator.js';

export interface RunEmulator {
  address: EmulatorAddress;
  /** Stops it, if the run has started it. */
  close(): Promise<void>;
}

/** The options of the emulator that a run of tests starts, or the address of one that runs already. */
export type RunOptions = (EmulatorOptions | EmulatorAddress) & {
  /** Directory of a manifest that is applied once, and whose objects every new tenant has. Default: none. */
  manifest?: string;
};

/**
 * Finds the emulator of a run: the one given, or that of `emulator exec` or `emulator access record`, which then see what the
 * tests do; otherwise starts one, by default on a free port, in memory and without rate limits.
 */
export async function openRunEmulator({ manifest, ...options }: RunOptions = {}): Promise<RunEmulator> {
  const run = await findOrStart(options);
  if (manifest === undefined) return run;
  const emulator = await connectEmulator(run.address);
  const template = await emulator.tenants.create('template');
  const close = () => template.delete().finally(emulator.close).finally(run.close);
  try {
    await template.apply(manifest);
  } catch (error) {
    await close();
    throw error;
  }
  const { tenant_id } = template;
  return { address: { ...run.address, template: { tenant_id, directory: resolve(manifest) } }, close };
}

async function findOrStart(options: EmulatorOptions | EmulatorAddress): Promise<RunEmulator> {
  if ('controlToken' in options) return join(options, {});
  const joined = addressFromEnvironment();
  if (joined) return join(joined, options);
  const { TOKENCTL_HEADER_PREFIX: headerPrefix } = process.env;
  const { reactorModules } = options;
  const { LeakWatch } = await loadEmulator();
  const started = {
    // Hosts are sent token data on purpose, unless it is in a URL.
    leakWatch: new LeakWatch(['*']),
    ...{ port: 0, memory: true, rateLimit: false, redacts: true, ...(headerPrefix && { headerPrefix }) },
    ...options,
    ...(reactorModules !== undefined && { reactorModules: resolve(reactorModules) }),
  };
  const emulator = await startEmulator(started);
  return { address: addressOf(emulator, started), close: emulator.close };
}

/**
 * Joins a running emulator, which has its own options. Only origins can be added to it.
 * @throws {Error} when the emulator limits rates: they count per client address, and all tests come from one
 */
async function join(
  address: EmulatorAddress,
  { allowOrigins = [], ...others }: EmulatorOptions,
): Promise<RunEmulator> {
  const ignored = Object.keys(others);
  if (ignored.length > 0)
    console.error(
      `The emulator of this run was started without its option ${ignored.join(', ')}: set the flags of emulator exec.`,
    );
  const control = await connectControl(address);
  try {
    const { rate_limit } = await control.call('health');
    if (rate_limit)
      throw new Error(
        'The emulator of this run applies rate limits, which all tests would share. Start it with --no-rate-limit: tokenctl emulator exec --no-rate-limit -- …',
      );
    for (const origin of allowOrigins) await control.call('origins.add', { body: { origin } });
  } finally {
    await control.close();
  }
  return { address, close: async () => {} };
}
