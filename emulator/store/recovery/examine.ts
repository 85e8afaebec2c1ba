import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import { segmentsAmong } from '../wal/segment.js';
import { endOfWritten, type ScannedLine, scan } from './scan.js';

/** The lines of a segment, those that are not what was written apart from the others. */
export interface SegmentLines {
  name: string;
  path: string;
  bytes: Buffer;
  damaged: ScannedLine[];
}

/** All segments of a journal that nobody has open. */
export async function readSegments(files: FileSystem, directory: string): Promise<SegmentLines[]> {
  const found = segmentsAmong(await files.list(directory));
  const active = found.filter(({ packed }) => !packed).at(-1);
  const scrubbed = new Set<string>();
  const segments: SegmentLines[] = [];
  for (const { id, name } of found) {
    const path = join(directory, name);
    const bytes = await files.readFile(path);
    const lines = [...scan(id, bytes)];
    // What was cut off while it was written is dropped by the next start without being asked.
    if (active?.name === name) lines.length = endOfWritten(lines);
    for (const { head } of lines) {
      if (head !== undefined && 'scrub' in head)
        for (const place of head.scrub) scrubbed.add(place.join(':'));
    }
    segments.push({ name, path, bytes, damaged: lines.filter(({ head }) => head === undefined) });
  }
  const isExplained = ({ segment, offset, length }: ScannedLine) =>
    scrubbed.has([segment, offset, length].join(':'));
  return segments.map((segment) => ({
    ...segment,
    damaged: segment.damaged.filter((line) => !isExplained(line)),
  }));
}

/** The bytes of a segment with its damaged lines blanked: every other line stays where it is. */
export function readable({ bytes, damaged }: SegmentLines): Buffer {
  const kept = Buffer.from(bytes);
  for (const { offset, length } of damaged) kept.fill(' ', offset, offset + length);
  return kept;
}
