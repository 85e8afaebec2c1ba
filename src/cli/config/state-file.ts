import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isLoopback } from '../../client/transport.js';
import type { StateFile } from '../../contract/control/state-file.js';
import { jsonOf } from '../../contract/json.js';
import { isProcessAlive } from '../../contract/process-identity.js';
import { CliError, usageError } from '../lib/errors.js';
import { DATA_DIR_NAME, findUpwards, STATE_FILE_NAME } from './paths.js';
import type { Settings } from './settings.js';

export type RunningState = StateFile & {
  base_url: string;
  public_url?: string;
  pid: number;
};

type Location = Pick<Settings, 'cwd' | 'dataDir'>;

const WRITABLE_BY_OTHERS = 0o022;

/** Returns why a state file is not believed; undefined if only this user can have written it. Windows has no such modes. */
function reasonForDistrust(file: Stats): string | undefined {
  if (!file.isFile()) return 'it is not a regular file';
  if (process.getuid === undefined) return undefined;
  if (file.uid !== process.getuid()) return 'it belongs to another user';
  return (file.mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'other users can write it';
}

const STATE_FILE_PATH = [join(DATA_DIR_NAME, STATE_FILE_NAME)];

function isTrusted(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && reasonForDistrust(found) === undefined;
}

/** Finds the state file of the data directory, else the nearest one that is believed: anyone may write to a parent directory. */
function stateFilePath({ cwd, dataDir }: Location): string | undefined {
  if (dataDir !== undefined) return join(resolve(cwd, dataDir), STATE_FILE_NAME);
  return findUpwards(cwd, STATE_FILE_PATH, isTrusted);
}

/** Describes the nearest state file of this directory or a parent when it is passed over; undefined if it is believed. */
export async function describeDistrusted(settings: Location): Promise<string | undefined> {
  if (settings.dataDir === undefined) {
    const nearest = findUpwards(settings.cwd, STATE_FILE_PATH);
    const file = nearest === undefined ? undefined : lstatSync(nearest, { throwIfNoEntry: false });
    const reason = file && reasonForDistrust(file);
    if (reason !== undefined) return `The state file ${nearest} is ignored: ${reason}.`;
  }
  const { base_url, local_url = base_url } = (await readStateFile(settings)) ?? {};
  return local_url === undefined || isLocal(local_url)
    ? undefined
    : `The state file ${stateFilePath(settings)} is ignored: its address is not on this machine.`;
}

const isLocal = (baseUrl: string): boolean => URL.canParse(baseUrl) && isLoopback(baseUrl);

/** Returns the data directory of the same settings; `.tokenctl` in the working directory when there is none yet. */
export function resolveDataDir(settings: Location): string {
  const path = stateFilePath(settings);
  return path ? dirname(path) : resolve(settings.cwd, DATA_DIR_NAME);
}

/** Reads the state file, if there is one. @throws {CliError} when it is not valid, or another user can have written it */
export async function readStateFile(settings: Location): Promise<StateFile | undefined> {
  const path = stateFilePath(settings);
  const text = path && readIfAny(path);
  if (text === undefined) return undefined;
  // Loaded when there is a file to validate: goal S2.
  const { parseStateFile } = await import('../../contract/control/state-file.js');
  const state = parseStateFile(jsonOf(text));
  if (state) return state;
  throw unreadable(path);
}

const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

function readIfAny(path: string): string | undefined {
  try {
    const file = openSync(path, READ_NO_LINK);
    try {
      const reason = reasonForDistrust(fstatSync(file));
      if (reason !== undefined) throw usageError(`The state file ${path} is not trusted: ${reason}.`);
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path);
  }
}

function unreadable(path: string | undefined): Error {
  return usageError(
    `The emulator's state file ${path} cannot be read.`,
    'Start the emulator again, which writes a new one: tokenctl emulator start',
  );
}

/** Reads the state of an emulator on this machine that runs: a process that was killed leaves its address behind. */
export async function readRunningState(settings: Location): Promise<RunningState | undefined> {
  const state = await readStateFile(settings);
  const { base_url, pid } = state ?? {};
  if (!state || base_url === undefined || pid === undefined || !isProcessAlive(pid)) return undefined;
  const { local_url } = state;
  if (!isLocal(local_url ?? base_url)) return undefined;
  return local_url === undefined
    ? { ...state, base_url, pid }
    : { ...state, base_url: local_url, public_url: base_url, pid };
}
