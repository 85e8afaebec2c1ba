import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { jsonOf } from '../../../src/contract/json.js';
import {
  canJudge,
  currentProcess,
  isHolderRunning,
  type ProcessRecord,
} from '../../../src/contract/process-identity.js';
import { StartError } from '../../lib/start-error.js';

/** Milliseconds between two signs of life of an owner: it writes its lock again. */
export const BEAT_MS = 2_000;
/** Milliseconds without a sign of life after which an owner that cannot be judged by its process id counts as gone. */
export const STALE_MS = 30_000;

/** The process that holds a data directory. */
export interface LockOwner extends ProcessRecord {
  /** Makes every lock unique. */
  id: string;
  /** What it does with the directory, in words. */
  purpose: string;
}

/** Another running process holds the data directory. @param owner in words */
export const lockedError = (dataDir: string, owner: string): StartError =>
  new StartError('data_dir_locked', `The data directory ${dataDir} is in use by ${owner}.`);

/** Returns the owner record of this process, as JSON. */
export function ownerRecord(purpose: string): string {
  return JSON.stringify({ id: randomUUID(), ...currentProcess(), purpose } satisfies LockOwner);
}

/**
 * Returns the owner that a lock or claim file names if it may still run. `text` is the content of the file; `now` is the time by
 * the clock of the file system, in milliseconds.
 */
export function livingOwner(path: string, text: string, now: number): LockOwner | undefined {
  const owner = jsonOf(text) as LockOwner | null | undefined;
  // Cut off by a power cut: its owner is gone.
  if (!owner) return undefined;
  const isRunning = isHolderRunning(owner);
  if (isRunning !== undefined) return isRunning ? owner : undefined;
  const lastBeat = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return now - lastBeat <= STALE_MS ? owner : undefined;
}

/** Describes the owner of a lock. */
export function describeOwner(owner: LockOwner, lockFile: string): string {
  const { pid, purpose, since, host } = owner;
  if (canJudge(owner)) return `process ${pid} (${purpose}) since ${since}`;
  return (
    `process ${pid} (${purpose}) of another container or machine, host ${host}, since ${since}. ` +
    `Its lock is released after ${STALE_MS / 1000} seconds without a sign of life. Delete ${lockFile} if it has certainly ended`
  );
}
