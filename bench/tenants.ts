import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEmulator, type Tenant, type TestEmulator } from '../src/testing/index.js';
import { atMost, type Measurement, median } from './measurement.js';
import { startEmulatorProcess } from './servers.js';

const ROUNDS = 60;
const TOKENS = 10_000;
const TOKENS_PER_REQUEST = 1_000;
const POLL_MS = 10;
const PLAINTEXT = 'plaintext-of-a-deleted-tenant';

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function withEmulator<Result>(
  flags: string[],
  use: (emulator: TestEmulator, directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const { port, controlToken, stop } = await startEmulatorProcess(join(directory, 'data'), ...flags);
  const emulator = await connectEmulator({ url: `http://127.0.0.1:${port}`, controlToken });
  try {
    return await use(emulator, directory);
  } finally {
    await emulator.close();
    await stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function fill({ client }: Tenant): Promise<void> {
  for (let i = 0; i < TOKENS; i += TOKENS_PER_REQUEST) {
    const texts = Array.from({ length: TOKENS_PER_REQUEST }, (_, j) => `${PLAINTEXT}-${i + j}`);
    await client.call('tokenize', { body: texts });
  }
}

async function contains(directory: string, text: string): Promise<boolean> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file).catch(() => Buffer.alloc(0))));
  return contents.some((content) => content.includes(text));
}

/** I1: a tenant made, an empty one gone; one with 10,000 tokens unreachable, and erased from disk. */
export async function tenants(): Promise<Measurement[]> {
  const [made, gone] = await withEmulator(['--memory'], async (emulator) => {
    const [madeTimes, goneTimes]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      let tenant: Tenant | undefined;
      madeTimes.push(
        await timed(async () => {
          tenant = await emulator.tenants.create();
        }),
      );
      goneTimes.push(await timed(async () => tenant?.delete()));
    }
    return [median(madeTimes), median(goneTimes)];
  });
  const [unreachable, erased] = await withEmulator([], async (emulator, directory) => {
    const tenant = await emulator.tenants.create();
    await fill(tenant);
    const deletion = await timed(() => tenant.delete());
    const erasure = await timed(async () => {
      while (await contains(directory, PLAINTEXT)) await sleep(POLL_MS);
    });
    return [deletion, erasure];
  });
  return [
    atMost('I1', 'a tenant is made, in memory', 5, made ?? Number.NaN, ' ms'),
    atMost('I1', 'an empty tenant is gone, in memory', 20, gone ?? Number.NaN, ' ms'),
    atMost(
      'I1',
      `a tenant with ${TOKENS} tokens on disk is unreachable`,
      20,
      unreachable ?? Number.NaN,
      ' ms',
    ),
    atMost('I1', 'its data is in no file', 1_000, erased ?? Number.NaN, ' ms'),
  ];
}
