import { countOf } from '../lib/text.js';
import { valueAt } from './fields.js';
import { escapeControls, type Style } from './style.js';
import { displayWidth, pad, truncate } from './text-width.js';
import { showTime, type TimeFormat } from './times.js';

const TIME_WIDTH = '2026-01-31T12:00:00Z'.length;

const ID_WIDTH = 36;

const FORMATS = {
  id: { min: ID_WIDTH },
  time: { isTime: true, min: TIME_WIDTH },
  words: { show: (words) => (words as readonly string[]).join(' ') },
} satisfies Record<string, Omit<Column, 'title' | 'field'>>;

/** Columns to which a cell may be cut, unless the column says otherwise. */
const MIN_WIDTH = 10;

export interface Column {
  title: string;
  /** Path of the value in the item: `metadata.customer`. */
  field: string;
  align?: 'right';
  format?: keyof typeof FORMATS;
  /** What is shown is a time of the service, which is formatted as the user wants it. */
  isTime?: true;
  show?: (value: unknown, item: unknown) => string;
  /** Width below which the column is of no use on a terminal: 36 for an id, which cannot be used if it is cut. */
  min?: number;
  /** Of columns that do not fit a terminal, the one with the lowest importance (0 by default) is dropped first. */
  importance?: number;
}

/** Puts text on one line, keeping its number of spaces. */
const toSingleLine = (text: string): string => escapeControls(text).replace(/\s/g, ' ');

/** Formats a value as the text of a cell; objects and lists become JSON on one line. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return escapeControls(typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
}

const withFormat = (column: Column): Column => ({
  ...(column.format && FORMATS[column.format]),
  ...column,
});

function showCell(item: unknown, { field, show, isTime }: Column, formatTime: TimeFormat): string {
  const value = valueAt(item, field);
  const shown = show ? show(value, item) : value;
  if (isTime) return toSingleLine(formatTime(shown));
  return show ? toSingleLine(String(shown)) : cellText(shown);
}

export function cellsOf(
  item: unknown,
  columns: readonly Column[],
  formatTime: TimeFormat,
): Record<string, string> {
  const cells = columns.map((column) => [
    column.title.toLowerCase(),
    showCell(item, withFormat(column), formatTime),
  ]);
  return Object.fromEntries(cells.filter(([, text]) => text !== ''));
}

/** Formats items as aligned columns under a heading, in lines of at most `width` columns. `Infinity` cuts nothing. */
export function renderTable(
  items: readonly unknown[],
  given: readonly Column[],
  style: Style,
  width: number,
  formatTime: TimeFormat = showTime,
): string {
  const columns = given.map(withFormat);
  const rows = items.map((item) => columns.map((column) => showCell(item, column, formatTime)));
  const widths = fitColumns(
    columns.map((column, index) => needOf(column, rows, index)),
    width,
  );
  const line = (cells: readonly string[]) =>
    cells
      .flatMap((cell, index) => {
        const columnWidth = widths[index] ?? 0;
        if (columnWidth === 0) return [];
        return pad(truncate(cell, columnWidth), columnWidth, columns[index]?.align);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const heading = style.bold(line(columns.map(({ title }) => title)));
  const hidden = columns.filter((_, index) => widths[index] === 0 && rows.some((row) => row[index] !== ''));
  return [heading, ...rows.map(line), ...hiddenLine(hidden, style, width)].join('\n');
}

/** Counts columns with values for which there was no room. */
function hiddenLine(hidden: readonly Column[], style: Style, width: number): string[] {
  if (hidden.length === 0) return [];
  const names = hidden.map(({ title }) => title).join(', ');
  const count = countOf(hidden.length, 'column');
  return [style.dim(truncate(`${count} not shown, see --wide: ${names}`, width))];
}

function needOf(
  { title, min = MIN_WIDTH, importance = 0 }: Column,
  rows: readonly string[][],
  index: number,
): ColumnNeed {
  const natural = rows.reduce(
    (most, row) => Math.max(most, displayWidth(row[index] ?? '')),
    displayWidth(title),
  );
  return { natural, min: Math.min(natural, min), importance };
}

export const GAP = 2;

interface ColumnNeed {
  /** Width of the widest cell or the title. */
  natural: number;
  min: number;
  /** The column with the lowest one is dropped first; of equal ones, the rightmost. */
  importance: number;
}

/** Drops the least important columns until the others have their minimum, then cuts the widest. 0 for a dropped one. */
export function fitColumns(needs: readonly ColumnNeed[], available: number): number[] {
  const kept = new Set(needs.keys());
  const sum = (width: (need: ColumnNeed) => number): number =>
    [...kept].reduce((total, index) => total + width(needs[index] as ColumnNeed), GAP * (kept.size - 1));
  while (kept.size > 1 && sum(({ min }) => min) > available) kept.delete(leastImportant(needs, kept));
  const capped = (cap: number) => (need: ColumnNeed) => Math.max(need.min, Math.min(need.natural, cap));
  let cap = Math.max(...needs.map(({ natural }) => natural), 0);
  if (sum(({ natural }) => natural) > available) while (cap > 1 && sum(capped(cap)) > available) cap -= 1;
  // What is left over when every column is cut to the same width goes to the first of those that were cut.
  let spare = available - sum(capped(cap));
  return needs.map((need, index) => {
    if (!kept.has(index)) return 0;
    const width = capped(cap)(need);
    const extra = Math.max(0, Math.min(spare, need.natural - width));
    if (Number.isFinite(extra)) spare -= extra;
    return Math.min(width + extra, available);
  });
}

function leastImportant(needs: readonly ColumnNeed[], kept: ReadonlySet<number>): number {
  const importance = (index: number) => needs[index]?.importance ?? 0;
  return [...kept].reduce((least, index) => (importance(index) <= importance(least) ? index : least));
}
