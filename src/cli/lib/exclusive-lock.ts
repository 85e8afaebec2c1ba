import { open, readFile, rm, stat } from 'node:fs/promises';
import { isObject, jsonOf } from '../../contract/json.js';
import {
  currentProcess,
  isHolderRunning,
  isProcessAlive,
  type ProcessRecord,
} from '../../contract/process-identity.js';
import { CliError } from './errors.js';

/** Time for a process to write its ID into the lock that it created, in milliseconds. */
const WRITE_MS = 5_000;

export type Release = () => Promise<void>;

/** The process that holds a lock. `pid` is 0 while it writes the file. */
export type Holder = ProcessRecord | { pid: 0 };

function readHolder(text: string): Holder {
  const value = jsonOf(text);
  return isObject(value) && typeof value.pid === 'number' ? (value as unknown as ProcessRecord) : { pid: 0 };
}

/** Takes a lock, also over from a dead process. Returns a function that releases it, or the process that holds it. */
export async function takeLock(path: string): Promise<Release | Holder> {
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o644);
      await file.writeFile(JSON.stringify(currentProcess()));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(await readFile(path, 'utf8').catch(() => ''));
    const created = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
    // Where this process cannot tell whether the holder runs, one with the same ID counts as the holder.
    const mayRun = (record: ProcessRecord) => isHolderRunning(record) ?? isProcessAlive(record.pid);
    if ('since' in holder ? mayRun(holder) : Date.now() - created < WRITE_MS) return holder;
    await rm(path, { force: true });
  }
}

/** Runs a task while no other process holds a lock. @param names `apply of tokenctl.yaml`, `apply again` */
export async function exclusively<Result>(
  path: string,
  { what, again }: { what: string; again: string },
  task: () => Promise<Result>,
): Promise<Result> {
  const taken = await takeLock(path);
  if (typeof taken !== 'function') {
    const since = 'since' in taken ? ` since ${taken.since}` : '';
    throw new CliError('failed', `Another ${what} is running (process ${taken.pid}${since}).`, {
      hint: `Wait for it to end, then ${again}. If process ${taken.pid} is another program, delete ${path}.`,
    });
  }
  try {
    return await task();
  } finally {
    await taken();
  }
}
