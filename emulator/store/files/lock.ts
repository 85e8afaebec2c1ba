import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../lib/start-error.js';

const LOCK_FILE = 'lock';
/** Milliseconds after which a claim to a dead owner's lock counts as abandoned. */
const CLAIM_MS = 10_000;

/** The process that holds a data directory. */
export interface LockOwner {
  pid: number;
  /** Identifies the process beyond its pid, which the system may reuse; empty if the system cannot tell. */
  process: string;
  since: string;
  /** What it does with the directory, in words. */
  purpose: string;
}

/** Another running process holds the data directory. */
export class LockedError extends StartError {
  override name = 'LockedError';

  constructor(
    readonly dataDir: string,
    readonly owner: LockOwner,
  ) {
    super(
      'data_dir_locked',
      `The data directory ${dataDir} is in use by process ${owner.pid} (${owner.purpose}) since ${owner.since}`,
    );
  }
}

/**
 * Locks a data directory for this process. The lock of a dead owner is taken over.
 *
 * @returns a function that releases the lock
 * @throws LockedError
 */
export function acquireLock(dataDir: string, purpose: string): () => void {
  const path = join(dataDir, LOCK_FILE);
  const mine = JSON.stringify({
    pid: process.pid,
    process: identityOf(process.pid),
    since: new Date().toISOString(),
    purpose,
  } satisfies LockOwner);
  if (!createExclusively(path, mine)) takeOver(dataDir, path, mine);
  return () => {
    if (readIfAny(path) === mine) fs.rmSync(path, { force: true });
  };
}

/** Returns the running process that holds a data directory; undefined if none does. */
export function lockOwner(dataDir: string): LockOwner | undefined {
  const text = readIfAny(join(dataDir, LOCK_FILE));
  if (text === undefined) return undefined;
  const owner = parseOwner(text);
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

/** Two processes may find the same dead owner: the one that creates the claim file wins. */
function takeOver(dataDir: string, path: string, mine: string): void {
  const claim = `${path}.claim`;
  const claimedAt = fs.statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
  if (claimedAt !== undefined && Date.now() - claimedAt > CLAIM_MS) fs.rmSync(claim, { force: true });
  const refused = () => new LockedError(dataDir, parseOwner(readIfAny(path) ?? '') ?? UNKNOWN_OWNER);
  if (lockOwner(dataDir) !== undefined || !createExclusively(claim, mine)) throw refused();
  try {
    if (lockOwner(dataDir) !== undefined) throw refused();
    fs.rmSync(path, { force: true });
    if (!createExclusively(path, mine)) throw refused();
  } finally {
    fs.rmSync(claim, { force: true });
  }
}

const UNKNOWN_OWNER: LockOwner = { pid: 0, process: '', since: 'a moment ago', purpose: 'starting' };

/** Creates a file that has its content from the first moment: an empty lock would look like a dead owner's. */
function createExclusively(path: string, content: string): boolean {
  const temporary = `${path}.${randomUUID()}`;
  fs.writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
  try {
    fs.linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
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

function parseOwner(text: string): LockOwner | undefined {
  try {
    return JSON.parse(text) as LockOwner;
  } catch {
    // Cut off while it was written: its owner died before it did anything.
    return undefined;
  }
}

function isAlive(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = identityOf(owner.pid);
  return now === '' || owner.process === '' || now === owner.process;
}

/** Returns a text that differs between processes with the same pid; empty if the system cannot tell. */
function identityOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Field 22 is the start time; the name in field 2 may hold spaces, so count from its end.
      return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
    }
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
