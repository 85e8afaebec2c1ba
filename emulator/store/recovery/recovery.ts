import { DamagedError } from '../errors.js';
import type { FileSystem } from '../files/file-system.js';
import { readSegment } from '../wal/scan.js';
import { activeSegment } from '../wal/segment.js';
import { readJournal } from './read-journal.js';
import { removeTail } from './remove-tail.js';
import { type ReplayOptions, replay } from './replay.js';

interface RecoveryOptions extends ReplayOptions {
  files: FileSystem;
  dataDir: string;
  logger: { warn(message: string): void };
}

/**
 * Brings the tables to where the data directory left off, and returns the highest revision in use.
 *
 * @throws DamagedError something can be neither read nor explained; nothing was changed
 */
export async function recover(options: RecoveryOptions): Promise<number> {
  const { files, journal, documents, compactor } = options;
  const segments = [...journal.segments.values()];
  await documents.load();
  // One buffer for all segments: allocating memory takes longer than reading into it.
  const buffer = Buffer.allocUnsafe(Math.max(0, ...segments.map(({ size }) => size)));
  const content = await readJournal(segments, (segment) => readSegment(files, segment, buffer));
  const [damage] = content.damaged;
  if (damage !== undefined) {
    throw new DamagedError(damage.path, damage.number, 'this line does not match its checksum');
  }
  const active = activeSegment(segments);
  if (active !== undefined && content.tailAt !== undefined) await removeTail(active, content.tailAt, options);
  for (const segment of segments) segment.dead = segment.size - (content.bytes.get(segment.id) ?? 0);
  // Compaction moves lines, so that they may be in any order.
  content.lines.sort((a, b) => a.line.rev - b.line.rev);
  const revision = replay(content.lines, options);
  // Before anything else reads them: a partly erased line is neither valid nor blank.
  await journal.erase(content.partlyErased);
  for (const line of content.partlyErased) compactor.dead.markDead(line);
  return revision;
}
