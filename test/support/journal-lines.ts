import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFileSystem } from '../../emulator/store/files/file-system.js';
import * as lines from '../../emulator/store/journal/line.js';
import { segmentPath } from '../../emulator/store/journal/segment.js';
import { FORMAT, writeHeader } from '../../emulator/store/store-header.js';

/** Formats a line as text. */
export function formatLine(line: lines.Line): string {
  return lines.formatLine(line).toString('utf8');
}

/** Writes a data directory whose segments, from number 1 on, hold the given lines. */
export async function writeDataDir(dataDir: string, segments: readonly string[]): Promise<void> {
  const directory = join(dataDir, 'journal');
  await nodeFileSystem.makeDirectory(directory);
  const journal = segments.map((text, i) => ({ number: i + 1, bytes: Buffer.byteLength(text) }));
  for (const [i, text] of segments.entries()) await writeFile(segmentPath(directory, i + 1), text);
  const next = segments.length + 1;
  await writeHeader(nodeFileSystem, dataDir, { format: FORMAT, id: 'written', revision: 0, next, journal });
}
