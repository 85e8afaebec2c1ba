import stringWidth from 'fast-string-width';

const ELLIPSIS = '…';

/** Printable ASCII, Latin letters, and the symbols that reports contain: one column each. */
const ONE_COLUMN_EACH = /^[ -~¡-¬®-ɏ‐-‧←-⇿─-▟✓✗]*$/;

/** Returns the width of text on a terminal, where wide characters take two columns and combining ones none. */
export const displayWidth = (text: string): number =>
  ONE_COLUMN_EACH.test(text) ? text.length : stringWidth(text);

/** Splits text into what a reader takes for one character. A segment is never cut. */
function segmentsOf(text: string): string[] {
  // The time of the segmenter grows with the square of the length: seconds for a line of 50,000 characters of code.
  if (ONE_COLUMN_EACH.test(text)) return [...text];
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

/** Cuts text to a width; `…` takes the place of what is missing. */
export function truncate(text: string, columns: number): string {
  if (text.length <= columns / 2 || displayWidth(text) <= columns) return text;
  return `${takeColumns(segmentsOf(text), columns - 1).join('')}${ELLIPSIS}`;
}

const BREAK = /[\s,]/;

/** Breaks text after spaces or commas; a word only if it is longer than a line and would leave more than half of one empty. */
export function fold(text: string, columns: number): string[] {
  if (text.length <= columns / 2 || displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let rest = segmentsOf(text);
  while (rest.length > 0) {
    const fitting = takeColumns(rest, columns);
    const end = fitting.length === rest.length ? rest.length : endOfLine(rest, fitting.length, columns);
    lines.push(rest.slice(0, end).join('').trimEnd());
    rest = rest.slice(end);
    // A line feed replaces the spaces that it follows.
    while (rest[0] === ' ') rest.shift();
  }
  return lines;
}

/** Returns how many segments the first line takes. @param fitting how many fit into it */
function endOfLine(rest: readonly string[], fitting: number, columns: number): number {
  const start = rest.slice(0, fitting).findLastIndex((segment) => BREAK.test(segment)) + 1;
  // No more than a line is looked at: the text may be a line of minified code.
  const ahead = rest.slice(start, start + columns + 1);
  const end = ahead.findIndex((segment) => BREAK.test(segment));
  const word = ahead
    .slice(0, end < 0 ? undefined : end + 1)
    .join('')
    .trimEnd();
  const isKept = start > fitting / 2 || (start > 0 && displayWidth(word) <= columns);
  return isKept ? start : Math.max(1, fitting);
}

function takeColumns(segments: readonly string[], columns: number): string[] {
  let width = 0;
  const end = segments.findIndex((segment) => {
    width += displayWidth(segment);
    return width > columns;
  });
  return segments.slice(0, end < 0 ? undefined : end);
}

export function pad(text: string, columns: number, align?: 'right'): string {
  const fill = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return align === 'right' ? fill + text : text + fill;
}
