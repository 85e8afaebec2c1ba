import * as fs from 'node:fs';
import { hostname } from 'node:os';

/** Where a process id means something. Ids of two different places must not be compared. */
interface ProcessPlace {
  host: string;
  /** Differs between boots; empty where the system does not tell. */
  boot: string;
  /** Differs between containers; empty where the system does not tell. */
  pidNamespace: string;
}

export function currentPlace(): ProcessPlace {
  const isLinux = process.platform === 'linux';
  return {
    host: hostname(),
    boot: isLinux ? orEmpty(readBootId) : '',
    pidNamespace: isLinux ? orEmpty(() => fs.readlinkSync('/proc/self/ns/pid')) : '',
  };
}

/** Whether this process can tell whether a process of another place runs. On Linux, not without a known namespace. */
export function canJudge({ host, boot, pidNamespace }: ProcessPlace): boolean {
  const here = currentPlace();
  if (process.platform === 'linux' && (here.boot === '' || here.pidNamespace === '')) return false;
  return host === here.host && boot === here.boot && pidNamespace === here.pidNamespace;
}

/** A process, as a lock file names it. */
export interface ProcessRecord extends ProcessPlace {
  pid: number;
  /** Tells it from another process that gets the same id later; empty where the system cannot tell. */
  process: string;
  since: string;
}

export const currentProcess = (): ProcessRecord => ({
  pid: process.pid,
  process: identityOf(process.pid),
  since: new Date().toISOString(),
  ...currentPlace(),
});

/** Whether the process of a record runs; undefined if this one cannot tell. An unknown identity counts as the same. */
export function isHolderRunning(record: ProcessRecord): boolean | undefined {
  if (!canJudge(record)) return undefined;
  if (!isProcessAlive(record.pid)) return false;
  const now = identityOf(record.pid);
  return record.process === '' || now === '' || now === record.process;
}

/** Whether a process with this id exists, also one of another user. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns a text that differs between processes with the same pid; empty if the system cannot tell. */
function identityOf(pid: number): string {
  return orEmpty(() => {
    if (process.platform === 'linux') return linuxIdentity(pid);
    if (process.platform === 'win32') return '';
    // Loaded here: every command looks at an emulator, and most systems need no `ps` (goal S2).
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    // `ps` prints the time in the zone and language of its environment, which may differ between two starts.
    const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' };
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env,
    }).trim();
    return started === '' ? '' : `ps:${started}`;
  });
}

function linuxIdentity(pid: number): string {
  // After `unshare --pid` without a new /proc, the ids in it are those of another namespace.
  if (fs.readlinkSync('/proc/self') !== String(process.pid)) return '';
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Field 22 is the start time; the name in field 2 may hold spaces, so count from its end.
  return `${readBootId()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}

const readBootId = (): string => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
