import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { StorageFullError, storageError } from '../errors.js';
import { replaceFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { QUARANTINE_DIR } from '../files/layout.js';
import type { Segment } from '../wal/segment.js';
import { readSegment } from '../wal/segment.js';

interface TailOptions {
  files: FileSystem;
  dataDir: string;
  logger: { warn(message: string): void };
}

/**
 * Moves the unfinished tail of the active segment, which begins at byte `start`, to `damaged/`. The copy is on the disk before
 * the segment ends at `start`. It holds nothing but the tail, so that it keeps no record that is deleted later. On a full disk
 * the tail is dropped without a copy: it was never acknowledged, and the emulator must start to free space.
 */
export async function removeTail(active: Segment, start: number, options: TailOptions): Promise<void> {
  const { files, logger } = options;
  const tail = readSegment(files, active).subarray(start);
  const outcome = await copyTail(active, start, tail, options).then(
    (copy) => `they are moved to ${copy}`,
    (error) => {
      if (storageError(error) instanceof StorageFullError) {
        return 'they are dropped, because the disk is full';
      }
      throw error;
    },
  );
  await files.truncate(active.file, start);
  await files.sync(active.file);
  active.size = start;
  logger.warn(
    `${active.path}: the last ${tail.length} bytes, from byte ${start}, were never completely written and never ` +
      `acknowledged; ${outcome}`,
  );
}

/** Returns the path of the copy. A start that repeats an interrupted one writes the same file, and another tail another. */
async function copyTail(
  { path }: Segment,
  start: number,
  tail: Buffer,
  { files, dataDir }: TailOptions,
): Promise<string> {
  const directory = join(dataDir, QUARANTINE_DIR);
  const digest = createHash('sha256').update(tail).digest('hex').slice(0, 8);
  const copy = join(directory, `${basename(path)}.tail-${start}-${digest}`);
  await files.makeDirectory(directory);
  await files.syncDirectory(dataDir);
  await replaceFile(files, copy, tail);
  return copy;
}
