import stringWidth from 'string-width';

const ELLIPSIS = '…';

/** Returns the width of text on a terminal, where wide characters take two columns and combining ones none. */
export const displayWidth = (text: string): number => stringWidth(text);

/** Splits text into what a reader takes for one character. A segment is never cut. */
function segmentsOf(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

/** Cuts text to a width; `…` takes the place of what is missing. */
export function truncate(text: string, columns: number): string {
  if (text.length <= columns / 2 || displayWidth(text) <= columns) return text;
  return `${takeColumns(segmentsOf(text), columns - 1).join('')}${ELLIPSIS}`;
}

/** Breaks text into lines of at most this width, after a space or comma where there is one in the second half of a line. */
export function fold(text: string, columns: number): string[] {
  if (text.length <= columns / 2 || displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let rest = segmentsOf(text);
  while (rest.length > 0) {
    const fitting = takeColumns(rest, columns);
    const space =
      fitting.length === rest.length ? -1 : fitting.findLastIndex((segment) => /[\s,]/.test(segment));
    const end = space > fitting.length / 2 ? space + 1 : Math.max(1, fitting.length);
    lines.push(rest.slice(0, end).join('').trimEnd());
    rest = rest.slice(end);
    // A line feed replaces the spaces that it follows.
    while (rest[0] === ' ') rest.shift();
  }
  return lines;
}

/** Returns the segments at the beginning that fit into a width. */
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
