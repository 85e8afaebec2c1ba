import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { jsonOf } from '../../../src/contract/json.js';
import {
  canJudge,
  currentProcess,
  isHolderRunning,
  type ProcessRecord,
} from '../../../src/contract/process-identity.js';
import { StartError } from '../../lib/start-error.js';

const LOCK_FILE = 'lock';
/** Milliseconds between two signs of life of an owner: it writes its lock again. */
const BEAT_MS = 2_000;
/** Milliseconds without a sign of life after which an owner that cannot be judged by its process id counts as gone. */
const STALE_MS = 30_000;
/** Milliseconds after the last sign of life after which a process checks that it still owns its lock before it writes. */
const CHECK_MS = STALE_MS / 3;
const ATTEMPTS = 10;

export interface Lock {
  /** @throws Error another process has taken the lock over, or somebody deleted it */
  assertHeld(): void;
  release(): void;
}

/** The file that becomes the lock, and its content. */
type Candidate = { path: string; text: string };

/**
 * Locks a data directory for this process. The lock of an owner that is gone is taken over: one whose process has ended or, if
 * it runs in another container or on another machine, one without a sign of life for `STALE_MS`.
 *
 * @throws StartError `data_dir_locked`
 */
export function acquireLock(dataDir: string, purpose: string): Lock {
  const path = join(dataDir, LOCK_FILE);
  const candidate: Candidate = { path: `${path}.${randomUUID()}`, text: ownerRecord(purpose) };
  try {
    // The file has its content before it gets the lock's name: an empty lock would look like one of an owner that is gone.
    fs.writeFileSync(candidate.path, candidate.text, { flag: 'wx', mode: 0o600 });
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
      if (linkIfFree(candidate.path, path) || takeOver(dataDir, path, candidate))
        return holdOrRemove(path, candidate.text);
    throw lockedError(dataDir, 'a process that is starting');
  } finally {
    fs.rmSync(candidate.path, { force: true });
  }
}

/** Returns the path of the claim to the lock of an owner that is gone, or to the claim of such an owner. */
export function claimPath(lockFile: string, depth: number, content: string): string {
  return `${lockFile}.${depth}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}.claim`;
}

/**
 * Replaces the lock of an owner that is gone. The right to do so belongs to the process that creates the claim file, whose name
 * contains a digest of that lock: every lock is unique, so that an old claim never leads to the removal of a new lock. If
 * the process that has the claim is gone as well, its claim is claimed in the same way. Returns whether the lock was replaced;
 * if not, another process changed it.
 *
 * @throws StartError `data_dir_locked`: the owner, or the process that has the claim, may still run
 */
function takeOver(dataDir: string, path: string, candidate: Candidate): boolean {
  const lock = readIfAny(path);
  if (lock === undefined) return false;
  const now = fs.statSync(candidate.path).mtimeMs;
  const claims: string[] = [];
  let claimed = path;
  for (let text = lock; ; ) {
    const owner = livingOwner(claimed, text, now);
    if (owner !== undefined) throw lockedError(dataDir, describeOwner(owner, path));
    claimed = claimPath(path, claims.length, text);
    if (linkIfFree(candidate.path, claimed)) break;
    const next = readIfAny(claimed);
    if (next === undefined) return false;
    claims.push(claimed);
    text = next;
  }
  try {
    if (readIfAny(path) !== lock) return false;
    fs.renameSync(candidate.path, path);
    for (const claim of claims) fs.rmSync(claim, { force: true });
    return true;
  } finally {
    fs.rmSync(claimed, { force: true });
  }
}

/** A lock that this process cannot hold would refuse every start until the process ends. */
function holdOrRemove(path: string, text: string): Lock {
  try {
    return hold(path, text);
  } catch (error) {
    removeOwn(path, text);
    throw error;
  }
}

/** Shows signs of life until the lock is released. */
function hold(path: string, text: string): Lock {
  const file = fs.openSync(path, 'r+');
  let isLost = false;
  let isReleased = false;
  let lastBeat = Date.now();
  const beat = () => {
    isLost ||= isReleased || readIfAny(path) !== text;
    if (isLost) return;
    // The same bytes in place: the file system sets the time by its own clock.
    fs.writeSync(file, text, 0);
    lastBeat = Date.now();
  };
  const timer = setInterval(() => {
    try {
      beat();
    } catch {
      // Tried again, at the latest before something is written.
    }
  }, BEAT_MS).unref();
  return {
    assertHeld() {
      const age = Date.now() - lastBeat;
      // A process or machine that was suspended continues here, perhaps after another process has taken over.
      if (age < 0 || age > CHECK_MS) beat();
      if (isLost) throw new Error(`${path} no longer belongs to this process`);
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      fs.closeSync(file);
      removeOwn(path, text);
    },
  };
}

/** Removes the lock, unless another process has taken it over. */
function removeOwn(path: string, text: string): void {
  if (readIfAny(path) === text) fs.rmSync(path, { force: true });
}

/** What file systems without hard links, such as exFAT, answer. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Gives a file a second name. Returns false if the name is taken. */
function linkIfFree(existing: string, path: string): boolean {
  try {
    linkOrCopy(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whoever sees a copy before it is complete reads it once more before it takes the lock over. */
function linkOrCopy(existing: string, path: string): void {
  try {
    fs.linkSync(existing, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    fs.copyFileSync(existing, path, fs.constants.COPYFILE_EXCL);
  }
}

function readIfAny(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

interface LockOwner extends ProcessRecord {
  /** Makes every lock unique. */
  id: string;
  /** What it does with the directory, in words. */
  purpose: string;
}

/** Another running process holds the data directory. @param owner in words */
const lockedError = (dataDir: string, owner: string): StartError =>
  new StartError('data_dir_locked', `The data directory ${dataDir} is in use by ${owner}.`);

export function ownerRecord(purpose: string): string {
  return JSON.stringify({ id: randomUUID(), ...currentProcess(), purpose } satisfies LockOwner);
}

/** Returns the owner in a lock or claim file if it may still run. @param now by the clock of the file system */
function livingOwner(path: string, text: string, now: number): LockOwner | undefined {
  const owner = jsonOf(text) as LockOwner | null | undefined;
  // Cut off by a power cut: its owner is gone.
  if (!owner) return undefined;
  const isRunning = isHolderRunning(owner);
  if (isRunning !== undefined) return isRunning ? owner : undefined;
  const lastBeat = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return now - lastBeat <= STALE_MS ? owner : undefined;
}

function describeOwner(owner: LockOwner, lockFile: string): string {
  const { pid, purpose, since, host } = owner;
  if (canJudge(owner)) return `process ${pid} (${purpose}) since ${since}`;
  return (
    `process ${pid} (${purpose}) of another container or machine, host ${host}, since ${since}. ` +
    `Its lock is released after ${STALE_MS / 1000} seconds without a sign of life. Delete ${lockFile} if it has certainly ended`
  );
}
