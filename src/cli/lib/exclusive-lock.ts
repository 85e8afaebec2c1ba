import { open, readFile, rm, stat } from 'node:fs/promises';
import { CliError } from './errors.js';
import { isProcessAlive } from './process.js';

/** Time for a process to write its ID into the lock that it created, in milliseconds. */
const WRITE_MS = 5_000;

/** Releases a lock. */
export type Release = () => Promise<void>;

/**
 * Takes a lock that is a file with the ID of the process that holds it. The lock of a process that no longer exists is
 * taken over.
 * @returns a function that releases the lock, or the ID of the process on this machine that holds it
 * @throws {NodeJS.ErrnoException} if the file cannot be created
 */
export async function takeLock(path: string): Promise<Release | number> {
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o644);
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    const created = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
    if (isProcessAlive(holder) || (holder === 0 && Date.now() - created < WRITE_MS)) return holder;
    await rm(path, { force: true });
  }
}

/**
 * Runs a task while no other process holds a lock.
 * @param what names the task: `apply of tokenctl.yaml`
 * @param again what to do when the other one has ended: `apply again`
 * @throws {CliError} if another process holds it
 */
export async function exclusively<Result>(
  path: string,
  { what, again }: { what: string; again: string },
  task: () => Promise<Result>,
): Promise<Result> {
  const taken = await takeLock(path);
  if (typeof taken === 'number')
    throw new CliError('failed', `Another ${what} is running (process ${taken}).`, {
      hint: `Wait for it to end, then ${again}.`,
    });
  try {
    return await task();
  } finally {
    await taken();
  }
}
