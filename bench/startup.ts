import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, EXECUTABLE } from '../test/support/executable.js';
import { atMost, type Measurement, median, timeInTurn } from './measurement.js';
import { createDirectory, startEmulator } from './servers.js';

const ROUNDS = 30;

/** Runs a whole process of Node.js. */
function run(args: readonly string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(process.execPath, args, { env: cleanEnvironment(tmpdir(), env) });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
}

const runNothing = (): void => run(['-e', '0']);

/** A row: the median of a command, the whole process, against that of `node -e 0`. @param more arguments after the command */
async function againstNothing(
  id: string,
  command: string,
  goal: number,
  more: string[] = [],
  env?: Record<string, string>,
): Promise<Measurement> {
  const args = [EXECUTABLE, ...command.split(' '), ...more];
  const [baselines = [], subjects = []] = await timeInTurn(ROUNDS, runNothing, () => run(args, env));
  return atMost(id, `tokenctl ${command} against node -e 0`, goal, median(subjects) / median(baselines));
}

/** S1: help and version. */
export async function startHelp(): Promise<Measurement[]> {
  return [await againstNothing('S1', '--help', 1.3), await againstNothing('S1', '--version', 1.3)];
}

/** S2: one HTTP command. */
export async function startCommand(): Promise<Measurement[]> {
  const { url, keys } = await startEmulator(['--memory']);
  const config = await createDirectory();
  const env = { TOKENCTL_BASE_URL: url, TOKENCTL_API_KEY: keys.private, TOKENCTL_CONFIG_DIR: config };
  run([EXECUTABLE, 'token', 'create', '--type', 'token', '--data', '1', '--id', 'one'], env);
  return [
    await againstNothing('S2', 'token get', 1.9, ['one'], env),
    await againstNothing('S2', 'token list', 1.9, [], env),
  ];
}

/** Starts emulators until they are ready. Returns the median, in milliseconds and against that of `node -e 0`. */
export async function startAgainstNothing(rounds: number, dataDir: (round: number) => string) {
  const starts: number[] = [];
  const [baselines = []] = await timeInTurn(rounds, runNothing, async (round) => {
    const emulator = await startEmulator([], dataDir(round));
    starts.push(emulator.startMs);
    await emulator.end();
  });
  const startMs = median(starts);
  return { startMs, ratio: startMs / median(baselines) };
}

/** S3: `emulator start` on an empty data directory until it is ready. */
export async function startEmpty(): Promise<Measurement> {
  const directory = await createDirectory();
  const { ratio } = await startAgainstNothing(ROUNDS, (round) => join(directory, String(round)));
  return atMost('S3', 'emulator start until ready against node -e 0', 5.5, ratio);
}

/** S4: a whole run of `emulator exec`, as in a script that tests against the emulator. */
export const execWithEmulator = (): Promise<Measurement> => againstNothing('S4', 'emulator exec -- true', 9);
