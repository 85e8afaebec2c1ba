import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { hostname } from 'node:os';

/** Where a process id means something. Ids of two different places must not be compared. */
export interface ProcessPlace {
  host: string;
  /** Differs between boots; empty where the system does not tell. */
  boot: string;
  /** Differs between containers; empty where the system does not tell. */
  pidNamespace: string;
}

/** Returns the place of this process. */
export function currentPlace(): ProcessPlace {
  const isLinux = process.platform === 'linux';
  return {
    host: hostname(),
    boot: isLinux
      ? (attempt(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '')
      : '',
    pidNamespace: isLinux ? (attempt(() => fs.readlinkSync('/proc/self/ns/pid')) ?? '') : '',
  };
}

/** Whether this process can tell whether a process of another place runs. On Linux, not without a known namespace. */
export function canJudge({ host, boot, pidNamespace }: ProcessPlace): boolean {
  const here = currentPlace();
  if (process.platform === 'linux' && (here.boot === '' || here.pidNamespace === '')) return false;
  return host === here.host && boot === here.boot && pidNamespace === here.pidNamespace;
}

/** Whether a process of this place runs. `identity` is what `identityOf` returned in it. */
export function isRunning(pid: number, identity: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = identityOf(pid);
  return now === '' || identity === '' || now === identity;
}

/** Returns a text that differs between processes with the same pid; empty if the system cannot tell. */
export function identityOf(pid: number): string {
  const identity = attempt(() => {
    if (process.platform === 'linux') return linuxIdentity(pid);
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  });
  return identity ?? '';
}

function linuxIdentity(pid: number): string {
  // After `unshare --pid` without a new /proc, the ids in it are those of another namespace.
  if (fs.readlinkSync('/proc/self') !== String(process.pid)) return '';
  const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Field 22 is the start time; the name in field 2 may hold spaces, so count from its end.
  return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
