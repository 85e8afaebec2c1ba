import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Measurement, median } from './measurement.js';
import { EXECUTABLE, startEmulatorProcess } from './servers.js';

const ROUNDS = 30;
const STARTS = 30;
export const NOTHING = ['-e', '0'];

/** Milliseconds of a whole process of Node.js. */
export function timed(args: readonly string[], env: Record<string, string> = {}): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - began;
}

/** The ratio of the medians, measured in turn, so that other load strikes both alike. */
function ratioToNothing(args: readonly string[], env?: Record<string, string>): number {
  const baselines: number[] = [];
  const subjects: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    baselines.push(timed(NOTHING));
    subjects.push(timed(args, env));
  }
  return median(subjects) / median(baselines);
}

/** S1: help and version, the whole process. */
export async function startHelp(): Promise<Measurement[]> {
  return [
    atMost('S1', 'tokenctl --help against node -e 0', 1.3, ratioToNothing([EXECUTABLE, '--help'])),
    atMost('S1', 'tokenctl --version against node -e 0', 1.3, ratioToNothing([EXECUTABLE, '--version'])),
  ];
}

/** S2: one HTTP command, the whole process. */
export async function startCommand(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const emulator = await startEmulatorProcess(dataDir, '--memory', '--no-rate-limit');
  try {
    const env = {
      TOKENCTL_BASE_URL: `http://127.0.0.1:${emulator.port}`,
      TOKENCTL_API_KEY: emulator.keys.private,
      TOKENCTL_CONFIG_DIR: dataDir,
    };
    timed([EXECUTABLE, 'token', 'create', '--type', 'token', '--data', '1', '--id', 'one'], env);
    return [['get', 'one'], ['list']].map((command) => {
      const ratio = ratioToNothing([EXECUTABLE, 'token', ...command], env);
      return atMost('S2', `tokenctl token ${command[0]} against node -e 0`, 1.9, ratio);
    });
  } finally {
    await emulator.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** S4: a whole run of `emulator exec`, as in a script that tests against the emulator. */
export async function execWithEmulator(): Promise<Measurement> {
  const ratio = ratioToNothing([EXECUTABLE, 'emulator', 'exec', '--', 'true']);
  return atMost('S4', 'tokenctl emulator exec -- true against node -e 0', 9, ratio);
}

/** S3: `emulator start` on an empty data directory until it is ready. */
export async function startEmulator(): Promise<Measurement> {
  const baselines: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
    baselines.push(timed(NOTHING));
    const emulator = await startEmulatorProcess(dataDir);
    starts.push(emulator.startMs);
    await emulator.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return atMost(
    'S3',
    'emulator start until ready against node -e 0',
    5.5,
    median(starts) / median(baselines),
  );
}
