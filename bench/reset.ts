import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Measurement, median } from './measurement.js';
import { encode, RawConnection } from './raw-client.js';
import { startEmulatorProcess } from './servers.js';

const TOKENS = 1_000;
const ROUNDS = 60;

/** C2: reset, and snapshot restore of 1,000 tokens. */
export async function resets(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const emulator = await startEmulatorProcess(join(directory, 'data'));
  const connection = new RawConnection(emulator.port);
  const control = { Authorization: `Bearer ${emulator.controlToken}` };
  const send = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const status = await connection.send(encode({ method: 'POST', path, headers, body }));
    if (status > 299) throw new Error(`${path} answered ${status}`);
  };
  const timed = async (path: string) => {
    const began = performance.now();
    await send(path, control);
    return performance.now() - began;
  };
  try {
    for (let i = 0; i < TOKENS; i += 1) {
      const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };
      await send('/tokens', { 'SVC-API-KEY': emulator.keys.private }, { type: 'card', data });
    }
    await send('/_emulator/snapshots', control, { name: 'bench' });
    const resetTimes: number[] = [];
    const restoreTimes: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      resetTimes.push(await timed('/_emulator/reset'));
      restoreTimes.push(await timed('/_emulator/snapshots/bench/restore'));
    }
    return [
      atMost('C2', `emulator reset of ${TOKENS} tokens`, 20, median(resetTimes), ' ms'),
      atMost('C2', `snapshot restore of ${TOKENS} tokens`, 20, median(restoreTimes), ' ms'),
    ];
  } finally {
    connection.close();
    await emulator.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
