import * as lines from '../../emulator/store/wal/line.js';

/** Formats a line as text. */
export function formatLine(line: lines.Line): string {
  return lines.formatLine(line).toString('utf8');
}
