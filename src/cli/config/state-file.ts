import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { StateFile } from '../../contract/control/state-file.js';
import { jsonOf } from '../../contract/json.js';
import { usageError } from '../lib/errors.js';
import { isProcessAlive } from '../lib/process.js';
import { DATA_DIR_NAME, findUpwards, STATE_FILE_NAME } from './paths.js';
import type { Settings } from './settings.js';

/** The state file of a running emulator. */
export type RunningState = StateFile & { base_url: string; pid: number };

/** Finds the state file of `--data-dir` or `TOKENCTL_DATA_DIR`, else of this directory or the nearest parent. */
function stateFilePath({ cwd, dataDir }: Pick<Settings, 'cwd' | 'dataDir'>): string | undefined {
  if (dataDir !== undefined) return join(resolve(cwd, dataDir), STATE_FILE_NAME);
  return findUpwards(cwd, [join(DATA_DIR_NAME, STATE_FILE_NAME)]);
}

/** Returns the data directory of the same settings; `.tokenctl` in the working directory when there is none yet. */
export function resolveDataDir(settings: Pick<Settings, 'cwd' | 'dataDir'>): string {
  const path = stateFilePath(settings);
  return path ? dirname(path) : resolve(settings.cwd, DATA_DIR_NAME);
}

/**
 * Reads the state file.
 * @returns undefined when there is none.
 * @throws {CliError} when it cannot be read or is not valid.
 */
export async function readStateFile(
  settings: Pick<Settings, 'cwd' | 'dataDir'>,
): Promise<StateFile | undefined> {
  const path = stateFilePath(settings);
  const text = path && (await readIfAny(path));
  if (text === undefined) return undefined;
  // Loaded when there is a file to validate: goal S2.
  const { parseStateFile } = await import('../../contract/control/state-file.js');
  const state = parseStateFile(jsonOf(text));
  if (state) return state;
  throw unreadable(path);
}

async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path);
  }
}

function unreadable(path: string | undefined): Error {
  return usageError(
    `The emulator's state file ${path} cannot be read.`,
    'Start the emulator again: it writes a new one.',
  );
}

/** Reads the state file of an emulator whose process exists; a process that was killed leaves its address behind. */
export async function readRunningState(
  settings: Pick<Settings, 'cwd' | 'dataDir'>,
): Promise<RunningState | undefined> {
  const state = await readStateFile(settings);
  const { base_url, pid } = state ?? {};
  if (!state || base_url === undefined || pid === undefined || !isProcessAlive(pid)) return undefined;
  return { ...state, base_url, pid };
}
