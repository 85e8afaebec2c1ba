import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadyProcess, startEmulatorProcess } from '../../support/executable.js';
import { DATA_KEY } from '../../support/postgres-store.js';

/** Emulators on one database, each in a process that can be killed at any moment. */
export class FleetProcesses {
  key = '';
  readonly #storeUrl: string;
  readonly #directory: string;
  readonly #members: ReadyProcess[] = [];
  #requests = 0;

  private constructor(storeUrl: string, directory: string) {
    this.#storeUrl = storeUrl;
    this.#directory = directory;
  }

  static async start(storeUrl: string, size: number): Promise<FleetProcesses> {
    const fleet = new FleetProcesses(storeUrl, await mkdtemp(join(tmpdir(), 'tokenctl-fleet-')));
    await Promise.all(Array.from({ length: size }, (_, index) => fleet.#start(index)));
    return fleet;
  }

  /** The URL of one process after the other. */
  nextUrl(): string {
    this.#requests += 1;
    return this.#members[this.#requests % this.#members.length]?.base_url ?? '';
  }

  /** Kills a process and starts another one on its data directory. */
  async replace(index: number): Promise<void> {
    // Until its end, a process has its data directory, and another one would be refused there.
    await this.#members[index]?.end('SIGKILL');
    await this.#start(index);
  }

  async close(): Promise<void> {
    for (const member of this.#members) await member.end('SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #start(index: number): Promise<void> {
    const dataDir = join(this.#directory, String(index));
    const emulator = await startEmulatorProcess(
      `--no-rate-limit --store ${this.#storeUrl} --data-dir ${dataDir}`,
      { cwd: this.#directory, env: { TOKENCTL_DATA_KEY: DATA_KEY.toString('base64') } },
    );
    this.key = emulator.keys.private;
    this.#members[index] = emulator;
  }
}
