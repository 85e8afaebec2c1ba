import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../src/testing/index.js';
import { atMost, type Measurement, median, timed, timeInTurn } from './measurement.js';
import { connect, createDirectory, startEmulator } from './servers.js';

const TENANT_ROUNDS = 60;
const TENANT_TOKENS = 10_000;
const TOKENS_PER_REQUEST = 1_000;
const POLL_MS = 10;
const MAX_MS = 1_000;

/** Whether a file below the directory contains the text. A file may be replaced between being listed and being read. */
async function contains(directory: string, text: string): Promise<boolean> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  return contents.some((content) => content.includes(text));
}

/** Returns the milliseconds until no file below the directory contains the text. */
function timeErasure(directory: string, text: string): Promise<number> {
  return timed(async () => {
    while (await contains(directory, text)) await sleep(POLL_MS);
  });
}

async function fill({ client }: Tenant, count: number): Promise<void> {
  for (let from = 0; from < count; from += TOKENS_PER_REQUEST) {
    const texts = Array.from({ length: TOKENS_PER_REQUEST }, (_, i) => `<plaintext-${from + i}>`);
    await client.call('tokenize', { body: texts });
  }
}

/** I1: a tenant made, an empty one gone; one with 10,000 tokens unreachable, and erased from disk. */
export async function tenants(): Promise<Measurement[]> {
  const inMemory = await connect(await startEmulator(['--memory']));
  let empty: Tenant | undefined;
  const make = async () => {
    empty = await inMemory.tenants.create();
  };
  const [made = [], gone = []] = await timeInTurn(TENANT_ROUNDS, make, () => empty?.delete());
  const directory = await createDirectory();
  const onDisk = await connect(await startEmulator([], join(directory, 'data')));
  const tenant = await onDisk.tenants.create();
  await fill(tenant, TENANT_TOKENS);
  const deletion = await timed(() => tenant.delete());
  const what = `a tenant with ${TENANT_TOKENS} tokens on disk is unreachable`;
  return [
    atMost('I1', 'a tenant is made, in memory', 5, median(made), ' ms'),
    atMost('I1', 'an empty tenant is gone, in memory', 20, median(gone), ' ms'),
    atMost('I1', what, 20, deletion, ' ms'),
    atMost('I1', 'its data is in no file', MAX_MS, await timeErasure(directory, '<plaintext-'), ' ms'),
  ];
}
