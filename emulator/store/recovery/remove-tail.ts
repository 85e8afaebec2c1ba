import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { StorageFullError, storageError } from '../errors.js';
import { replaceFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { QUARANTINE_DIR } from '../files/layout.js';
import type { Segment } from '../journal/segment.js';

interface TailOptions {
  files: FileSystem;
  dataDir: string;
  logger: { warn(message: string): void };
}

/**
 * Moves the unfinished tail of the last segment to `damaged/`. The copy is on the disk before the segment ends. It holds
 * nothing but the tail, so that it keeps no record that is deleted later. On a full disk the tail is dropped without a copy: it
 * was never acknowledged, and the emulator must start to free space.
 */
export async function removeTail(last: Segment, tail: Buffer, options: TailOptions): Promise<void> {
  const { files, logger } = options;
  const outcome = await copyTail(last, tail, options).then(
    (copy) => `they are moved to ${copy}`,
    (error) => {
      if (storageError(error) instanceof StorageFullError) {
        return 'they are dropped, because the disk is full';
      }
      throw error;
    },
  );
  await files.truncate(last.file, last.size);
  await files.sync(last.file);
  logger.warn(
    `${last.path}: the last ${tail.length} bytes, from byte ${last.size}, were never completely written and never ` +
      `acknowledged; ${outcome}`,
  );
}

/** Returns the path of the copy. A start that repeats an interrupted one writes the same file, and another tail another. */
async function copyTail(
  { path, size }: Segment,
  tail: Buffer,
  { files, dataDir }: TailOptions,
): Promise<string> {
  const directory = join(dataDir, QUARANTINE_DIR);
  const digest = createHash('sha256').update(tail).digest('hex').slice(0, 8);
  const copy = join(directory, `${basename(path)}.tail-${size}-${digest}`);
  await files.makeDirectory(directory);
  await files.syncDirectory(dataDir);
  await replaceFile(files, copy, tail);
  return copy;
}
