import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { call } from '../../support/call.js';
import { type ReadyProcess, startEmulatorProcess } from '../../support/executable.js';
import { DATA_KEY } from '../../support/postgres.js';

/** Emulators, each in a process that can be killed at any moment, and started again with the same data. */
export class FleetProcesses {
  readonly #members: ReadyProcess[] = [];
  #requests = 0;

  /** @param directory has a data directory for each process @param storeUrl of the database that they share */
  private constructor(
    readonly directory: string,
    private readonly storeUrl: string | undefined,
  ) {}

  /** Starts processes on one database, or one process on a data directory. */
  static async start(size: number, storeUrl?: string): Promise<FleetProcesses> {
    const fleet = new FleetProcesses(await mkdtemp(join(tmpdir(), 'tokenctl-fleet-')), storeUrl);
    await Promise.all(Array.from({ length: size }, (_, index) => fleet.#start(index)));
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  /** One process after the other. */
  next(): Parameters<typeof call>[0] {
    this.#requests += 1;
    const { base_url: url, keys } = this.#members[this.#requests % this.size] as ReadyProcess;
    return { url, keys, controlToken: '' };
  }

  /** Kills a process and starts another one on its data directory. */
  async replace(index: number): Promise<void> {
    // Until its end, a process has its data directory, and another one would be refused there.
    await this.#members[index]?.end('SIGKILL');
    await this.#start(index);
  }

  async close(): Promise<void> {
    for (const member of this.#members) await member.end('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
  }

  async #start(index: number): Promise<void> {
    const dataDir = join(this.directory, String(index));
    const store = this.storeUrl === undefined ? '' : `--store ${this.storeUrl}`;
    this.#members[index] = await startEmulatorProcess(`--no-rate-limit --data-dir ${dataDir} ${store}`, {
      cwd: this.directory,
      env: this.storeUrl === undefined ? {} : { TOKENCTL_DATA_KEY: DATA_KEY.toString('base64') },
    });
  }
}
