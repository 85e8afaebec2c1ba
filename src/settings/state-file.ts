import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { usageError } from '../failure.js';
import { DATA_DIR_NAME, findUpwards, STATE_FILE_NAME } from './paths.js';
import type { Settings } from './settings.js';

/** What `emulator start` writes beside its data: how to reach it, and its keys. */
export interface StateFile {
  base_url: string;
  dashboard_url: string;
  tenant_id: string;
  keys: { management: string; private: string; public: string };
  webhook_secret: string;
  pid: number;
  data_dir: string;
  control_token: string;
  header_prefix?: string;
}

/** The state file meant by `--data-dir` or `TOKENCTL_DATA_DIR`, else the one of this directory or the nearest parent. */
export function stateFilePath({ cwd, dataDir }: Pick<Settings, 'cwd' | 'dataDir'>): string | undefined {
  if (dataDir !== undefined) return join(resolve(cwd, dataDir), STATE_FILE_NAME);
  return findUpwards(cwd, [join(DATA_DIR_NAME, STATE_FILE_NAME)]);
}

/** The data directory meant: the same, or `.tokenctl` here. */
export function dataDirOf(settings: Pick<Settings, 'cwd' | 'dataDir'>): string {
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

/** Whether the process that wrote the state file is still there. */
export function isRunning({ pid }: Pick<StateFile, 'pid'>): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
