import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Measurement } from './measurement.js';
import { encode, RawConnection } from './raw-client.js';
import { startEmulatorProcess } from './servers.js';

const TOKENS = 1_000;
const ROUNDS = 10;
const POLL_MS = 10;

/** Whether a file below the directory contains the text. A file may be replaced between being listed and being read. */
async function contains(directory: string, text: string): Promise<boolean> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  return contents.some((content) => content.includes(text));
}

/** E1: the time from the response to a deletion, or from a cvc purge, until no file contains the plaintext. */
export async function erasure(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const emulator = await startEmulatorProcess(join(directory, 'data'));
  const connection = new RawConnection(emulator.port);
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const status = await connection.send(encode({ method, path, headers, body }));
    if (status > 299) throw new Error(`${path} answered ${status}`);
  };
  const key = { 'SVC-API-KEY': emulator.keys.private };
  const control = { Authorization: `Bearer ${emulator.controlToken}` };
  const untilErased = async (text: string) => {
    const began = performance.now();
    while (await contains(directory, text)) await sleep(POLL_MS);
    return performance.now() - began;
  };
  try {
    for (let i = 0; i < TOKENS; i += 1) {
      await send('POST', '/tokens', key, { id: `token-${i}`, type: 'token', data: `<plaintext-${i}>` });
    }
    const deletions: number[] = [];
    const purges: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await send('DELETE', `/tokens/token-${round}`, key);
      deletions.push(await untilErased(`<plaintext-${round}>`));
      const cvc = String(1_000 + round);
      const data = { number: '4242424242424242', cvc };
      await send('POST', '/tokens', key, { type: 'card', data });
      await send('PUT', '/_emulator/clock', control, { advance: '61m' });
      purges.push(await untilErased(`"cvc":"${cvc}"`));
    }
    const worst = (what: string, times: number[]) => atMost('E1', what, 1_000, Math.max(...times), ' ms');
    return [
      worst(`deleted data is in no file, worst of ${ROUNDS}`, deletions),
      worst(`a purged cvc is in no file, worst of ${ROUNDS}`, purges),
    ];
  } finally {
    connection.close();
    await emulator.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
