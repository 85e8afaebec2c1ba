import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { usageError } from '../lib/errors.js';
import { isProcessAlive } from '../lib/process.js';
import { DATA_DIR_NAME, findUpwards, STATE_FILE_NAME } from './paths.js';
import type { Settings } from './settings.js';

/** What `emulator start` writes beside its data: its keys, and while it runs how to reach it. */
export interface StateFile {
  base_url?: string;
  dashboard_url?: string;
  pid?: number;
  /** Absent: the default. */
  header_prefix?: string;
  /** Absent when its last tenant was deleted. */
  tenant_id?: string;
  keys?: { management: string; private: string; public: string };
  webhook_secret?: string;
  data_dir: string;
  /** Bearer token of the control endpoints. */
  control_token: string;
}

/** The state file of an emulator that runs. */
export type RunningState = StateFile & { base_url: string; pid: number };

/** The state file meant by `--data-dir` or `TOKENCTL_DATA_DIR`, else the one of this directory or the nearest parent. */
function stateFilePath({ cwd, dataDir }: Pick<Settings, 'cwd' | 'dataDir'>): string | undefined {
  if (dataDir !== undefined) return join(resolve(cwd, dataDir), STATE_FILE_NAME);
  return findUpwards(cwd, [join(DATA_DIR_NAME, STATE_FILE_NAME)]);
}

/** The data directory meant: the same, or `.tokenctl` here. */
export function resolveDataDir(settings: Pick<Settings, 'cwd' | 'dataDir'>): string {
  const path = stateFilePath(settings);
  return path ? dirname(path) : resolve(settings.cwd, DATA_DIR_NAME);
}

/**
 * The state file, or undefined when there is none.
 * @throws {CliError} when it cannot be read.
 */
export async function readStateFile(
  settings: Pick<Settings, 'cwd' | 'dataDir'>,
): Promise<StateFile | undefined> {
  const path = stateFilePath(settings);
  if (!path) return undefined;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StateFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw usageError(
      `The emulator's state file ${path} cannot be read.`,
      'Start the emulator again, it writes the file anew.',
    );
  }
}

/** The state file of an emulator whose process is still there; one that was killed leaves its address behind. */
export async function readRunningState(
  settings: Pick<Settings, 'cwd' | 'dataDir'>,
): Promise<RunningState | undefined> {
  const state = await readStateFile(settings);
  const { base_url, pid } = state ?? {};
  if (!state || base_url === undefined || pid === undefined || !isProcessAlive(pid)) return undefined;
  return { ...state, base_url, pid };
}
