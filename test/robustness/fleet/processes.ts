import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnvironment, EXECUTABLE } from '../../support/executable.js';
import { DATA_KEY } from '../../support/postgres-store.js';

/** An emulator in a process of its own. */
interface Member {
  child: ChildProcess;
  url: string;
}

/** Emulators on one database, each in a process that can be killed at any moment. */
export class FleetProcesses {
  key = '';
  readonly #storeUrl: string;
  readonly #directory: string;
  readonly #members: Member[] = [];
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
    return this.#members[this.#requests % this.#members.length]?.url ?? '';
  }

  /** Kills a process and starts another one on its data directory. */
  async replace(index: number): Promise<void> {
    const member = this.#members[index];
    if (member) await kill(member);
    await this.#start(index);
  }

  async close(): Promise<void> {
    for (const member of this.#members) await kill(member);
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #start(index: number): Promise<void> {
    const flags = ['--port', '0', '--no-rate-limit', '--json', '--store', this.#storeUrl];
    const dataDir = join(this.#directory, String(index));
    const child = spawn(
      process.execPath,
      [EXECUTABLE, 'emulator', 'start', ...flags, '--data-dir', dataDir],
      {
        env: cleanEnvironment(this.#directory, { TOKENCTL_DATA_KEY: DATA_KEY.toString('base64') }),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const ready = JSON.parse(line) as { base_url: string; keys: { private: string } };
    this.key = ready.keys.private;
    this.#members[index] = { child, url: ready.base_url };
  }
}

/** Until its end, a process has its data directory, and another one would be refused there. */
async function kill({ child }: Member): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
