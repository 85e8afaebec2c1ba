import * as codec from '../../emulator/store/wal/line-codec.js';

/** Formats a line as text. */
export function formatLine(...parameters: Parameters<typeof codec.formatLine>): string {
  return codec.formatLine(...parameters).toString('utf8');
}

/** Formats the line of a record as text. */
export function formatPut(...parameters: Parameters<typeof codec.formatPut>): string {
  return codec.formatPut(...parameters).toString('utf8');
}
