import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, ms, quantile } from './clients.js';
import { atMost, type Measurement, median } from './measurement.js';
import { type EmulatorServer, startEmulatorProcess } from './servers.js';

const STARTS = 10;
const UPDATES_PER_START = 10;

const codeOf = (version: number) => `module.exports = async (req) => ({ raw: [${version}, req.args] })`;

/** A reactor of an emulator process, over one kept-alive connection. */
class RemoteReactor {
  readonly #client: Client;
  readonly #keys: EmulatorServer['keys'];

  constructor({ port, keys }: EmulatorServer) {
    this.#client = new Client(`http://127.0.0.1:${port}`);
    this.#keys = keys;
  }

  async create(): Promise<string> {
    const body = { name: 'bench', code: codeOf(0), configuration: {} };
    const { json } = await this.#client.send({
      method: 'POST',
      path: '/reactors',
      key: this.#keys.management,
      body,
    });
    return String(json.id);
  }

  async update(id: string, version: number): Promise<void> {
    const body = { name: 'bench', code: codeOf(version), configuration: {} };
    const { status } = await this.#client.send({
      method: 'PUT',
      path: `/reactors/${id}`,
      key: this.#keys.management,
      body,
    });
    if (status !== 200) throw new Error(`The update answered ${status}.`);
  }

  /** @returns milliseconds until the response */
  async invoke(id: string, version: number): Promise<number> {
    const began = performance.now();
    const { status, json } = await this.#client.send({
      method: 'POST',
      path: `/reactors/${id}/react`,
      key: this.#keys.private,
      body: { args: { text: 'x'.repeat(1000) } },
    });
    if (status !== 200 || json.raw?.[0] !== (version as unknown)) throw new Error(`Answered ${status}.`);
    return performance.now() - began;
  }

  close(): void {
    this.#client.close();
  }
}

/**
 * R2, over HTTP against the built emulator: the first invocation, sent when the ready line is printed, and the first one
 * after each of several updates sent back to back.
 */
export async function firstInvocations(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const afterStart: number[] = [];
  const afterUpdate: number[] = [];
  try {
    const id = await withReactor(dataDir, (reactor) => reactor.create());
    let version = 0;
    for (let start = 0; start < STARTS; start++) {
      await withReactor(dataDir, async (reactor) => {
        afterStart.push(await reactor.invoke(id, version));
        for (let update = 0; update < UPDATES_PER_START; update++) {
          await reactor.update(id, ++version);
          afterUpdate.push(await reactor.invoke(id, version));
        }
      });
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    measured('first invocation, sent at the ready line', 80, median(afterStart), afterStart),
    measured('first invocation after an update, p95', 40, quantile(afterUpdate, 0.95), afterUpdate),
  ];
}

async function withReactor<T>(dataDir: string, use: (reactor: RemoteReactor) => Promise<T>): Promise<T> {
  const emulator = await startEmulatorProcess(dataDir);
  const reactor = new RemoteReactor(emulator);
  try {
    return await use(reactor);
  } finally {
    reactor.close();
    await emulator.stop();
  }
}

function measured(what: string, goal: number, value: number, times: number[]): Measurement {
  const more = ` (median ${ms(median(times))}, max ${ms(Math.max(...times))})`;
  return atMost('R2', what, goal, value, ' ms', more);
}
