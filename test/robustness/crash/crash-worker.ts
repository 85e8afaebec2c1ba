import { writeSync } from 'node:fs';
import { openStore } from '../../../emulator/store/disk-store.js';
import { type FileSystem, nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { keyOf, seeded, Workload } from './workload.js';

/** A message of the worker: one line of JSON on stdout. */
export type Message =
  | { state: [string, string][] }
  | { begin: number; effects: [string, string | null][] }
  | { end: number; acknowledged: boolean };

const WORKERS = 6;

/** Returns a file system that kills the process at the given operation, in the middle of a write. */
function fileSystemThatDies(dieAt: number): FileSystem {
  let operations = 0;
  const isTime = () => {
    operations += 1;
    return operations === dieAt;
  };
  const die = () => process.kill(process.pid, 'SIGKILL');
  return {
    ...nodeFileSystem,
    async write(file, bytes, ...where) {
      if (isTime()) {
        await nodeFileSystem.write(file, bytes.subarray(0, Math.floor(bytes.length / 2)), ...where);
        die();
      }
      return nodeFileSystem.write(file, bytes, ...where);
    },
    async sync(file) {
      if (isTime()) die();
      return nodeFileSystem.sync(file);
    },
    async rename(from, to) {
      if (isTime()) die();
      return nodeFileSystem.rename(from, to);
    },
    async remove(path) {
      if (isTime()) die();
      return nodeFileSystem.remove(path);
    },
    async syncDirectory(path) {
      if (isTime()) die();
      return nodeFileSystem.syncDirectory(path);
    },
  };
}

function send(message: Message): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

async function main(): Promise<void> {
  const [dataDir = '', round = '0', dieAt = '0'] = process.argv.slice(2);
  const { store } = await openStore({
    dataDir,
    files: fileSystemThatDies(Number(dieAt)),
    logger: { warn: (message) => writeSync(2, `${message}\n`) },
  });
  const { records } = await store.find('tokens', {});
  const settings = (await store.find('settings', {})).records;
  send({
    state: [
      ...records.map((record): [string, string] => [keyOf(record.tenant_id, record.id), String(record.data)]),
      ...settings.map((record): [string, string] => [keyOf('', record.id), String(record.value)]),
    ],
  });
  if (round === 'idle') {
    setInterval(() => {}, 1000);
    return;
  }
  let commits = 0;
  const worker = async (number: number) => {
    const tenant = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const workload = new Workload(store, seeded(Number(round) * 97 + number), {
      tenants: [tenant],
      name: `${round}-${number}`,
      exclusive: false,
      observe(effects) {
        commits += 1;
        const commit = commits;
        send({ begin: commit, effects: [...effects].map(([key, value]) => [key, value ?? null]) });
        return (acknowledged) => send({ end: commit, acknowledged });
      },
    });
    for (;;) await workload.step();
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));
}

await main();
