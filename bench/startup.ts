import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { atMost, type Measurement, median, timeInTurn } from './measurement.js';
import { EXECUTABLE, startEmulatorProcess, withDirectory, withEmulator } from './servers.js';

const ROUNDS = 30;

/** Runs a whole process of Node.js. */
function run(args: readonly string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
}

export const runNothing = (): void => run(['-e', '0']);

/** Returns the ratio of the medians of a command and of `node -e 0`. */
async function ratioToNothing(args: readonly string[], env?: Record<string, string>): Promise<number> {
  const [baselines = [], subjects = []] = await timeInTurn(ROUNDS, runNothing, () =>
    run([EXECUTABLE, ...args], env),
  );
  return median(subjects) / median(baselines);
}

/** S1: help and version, the whole process. */
export async function startHelp(): Promise<Measurement[]> {
  return [
    atMost('S1', 'tokenctl --help against node -e 0', 1.3, await ratioToNothing(['--help'])),
    atMost('S1', 'tokenctl --version against node -e 0', 1.3, await ratioToNothing(['--version'])),
  ];
}

/** S2: one HTTP command, the whole process. */
export function startCommand(): Promise<Measurement[]> {
  return withEmulator(['--memory'], async ({ url, keys }, directory) => {
    const env = { TOKENCTL_BASE_URL: url, TOKENCTL_API_KEY: keys.private, TOKENCTL_CONFIG_DIR: directory };
    run([EXECUTABLE, 'token', 'create', '--type', 'token', '--data', '1', '--id', 'one'], env);
    const get = await ratioToNothing(['token', 'get', 'one'], env);
    const list = await ratioToNothing(['token', 'list'], env);
    return [
      atMost('S2', 'tokenctl token get against node -e 0', 1.9, get),
      atMost('S2', 'tokenctl token list against node -e 0', 1.9, list),
    ];
  });
}

/** S3: `emulator start` on an empty data directory until it is ready. */
export function startEmulator(): Promise<Measurement> {
  return withDirectory(async (directory) => {
    const starts: number[] = [];
    const [baselines = []] = await timeInTurn(ROUNDS, runNothing, async (round) => {
      const emulator = await startEmulatorProcess(join(directory, String(round)));
      starts.push(emulator.startMs);
      await emulator.stop();
    });
    const ratio = median(starts) / median(baselines);
    return atMost('S3', 'emulator start until ready against node -e 0', 5.5, ratio);
  });
}

/** S4: a whole run of `emulator exec`, as in a script that tests against the emulator. */
export async function execWithEmulator(): Promise<Measurement> {
  const ratio = await ratioToNothing(['emulator', 'exec', '--', 'true']);
  return atMost('S4', 'tokenctl emulator exec -- true against node -e 0', 9, ratio);
}
