import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a program is there and may do its work: to trace and to mount can be forbidden. */
const runs = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

export const HAS_STRACE = process.platform === 'linux' && runs('strace', '-o', '/dev/null', 'true');
export const HAS_EATMYDATA = runs('eatmydata', 'true');

/** A file system of its own, on a file that stands for the device: it has what was synced, and nothing else. */
export class RealDisk {
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tokenctl-disk-'));
  #device = join(this.#folder, 'device');

  constructor() {
    this.path = join(this.#folder, 'mounted');
    mkdirSync(this.path);
    execFileSync('truncate', ['--size', '32M', this.#device]);
    execFileSync('mkfs.ext4', ['-q', this.#device]);
    this.#mount();
  }

  /** Forgets what was not synced. */
  cutPower(): void {
    const left = `${this.#device}.left`;
    execFileSync('cp', [this.#device, left]);
    execFileSync('umount', [this.path]);
    this.#device = left;
    this.#mount();
  }

  remove(): void {
    spawnSync('umount', [this.path]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #mount(): void {
    // By itself it would write every five seconds.
    execFileSync('mount', ['-o', 'loop,commit=300', this.#device, this.path], { stdio: 'pipe' });
  }
}

function canMount(): boolean {
  try {
    new RealDisk().remove();
    return true;
  } catch {
    return false;
  }
}
export const HAS_EXT4 = HAS_STRACE && process.getuid?.() === 0 && canMount();
