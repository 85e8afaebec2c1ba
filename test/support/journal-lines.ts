import { LineBuffer } from '../../emulator/store/wal/line-buffer.js';
import * as codec from '../../emulator/store/wal/line-codec.js';

/** Returns lines as an append to the journal writes them. */
export function linesOf(...texts: string[]): LineBuffer {
  const lines = new LineBuffer();
  for (const text of texts) lines.add(text);
  return lines;
}

/** Formats a line with its checksum. */
export function formatLine(...parameters: Parameters<typeof codec.formatLine>): string {
  return linesOf(codec.formatLine(...parameters)).bytes.toString('utf8');
}

/** Formats the line of a record with its checksum. */
export function formatPut(...parameters: Parameters<typeof codec.formatPut>): string {
  return linesOf(codec.formatPut(...parameters)).bytes.toString('utf8');
}
