import { addressFromEnvironment, connectControl, type EmulatorAddress, startEmulator } from './emulator.js';

/** The emulator of a run of tests. */
export interface RunEmulator {
  address: EmulatorAddress;
  /** Stops it, if the run has started it. */
  close(): Promise<void>;
}

/**
 * Finds the emulator of a run: that of `emulator exec` or `emulator access record`, which then see what the tests do; otherwise
 * a new one, in memory and without rate limits.
 * @param allowOrigins origins whose pages may call the service
 */
export async function openRunEmulator(allowOrigins: readonly string[] = []): Promise<RunEmulator> {
  const address = addressFromEnvironment();
  return address ? join(address, allowOrigins) : start(allowOrigins);
}

async function start(allowOrigins: readonly string[]): Promise<RunEmulator> {
  const { TOKENCTL_HEADER_PREFIX: prefix } = process.env;
  const headers = prefix ? { headerPrefix: prefix } : {};
  const options = { port: 0, memory: true, rateLimit: false, redacts: true, allowOrigins, ...headers };
  const { url, controlToken, close } = await startEmulator(options);
  return { address: { url, controlToken, ...headers }, close };
}

/** @throws {Error} when the emulator limits rates: they count per client address, and all tests come from one */
async function join(address: EmulatorAddress, allowOrigins: readonly string[]): Promise<RunEmulator> {
  const control = await connectControl(address, new AbortController().signal);
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
