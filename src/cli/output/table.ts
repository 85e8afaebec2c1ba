import { eastAsianWidth } from 'get-east-asian-width';
import { isObject } from '../../contract/json.js';
import { valueAt } from './fields.js';
import { printable, type Style } from './style.js';

export interface Column {
  title: string;
  /** Of the item: `metadata.customer`. */
  field: string;
  align?: 'right';
  /** What is shown instead of the value. */
  show?: (value: unknown, item: unknown) => string;
}

/** Text of others on one line, its spaces as they are. */
const toSingleLine = (text: string): string => printable(text).replace(/\s/g, ' ');

/** A cell's text; what has structure is JSON on one line. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return printable(typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
}

/** Columns on a terminal: wide characters take two, combining ones none. */
function displayWidth(text: string): number {
  let columns = 0;
  for (const character of text)
    if (!/^\p{Mark}|^\p{Format}/u.test(character)) columns += eastAsianWidth(character.codePointAt(0) ?? 0);
  return columns;
}

function pad(text: string, columns: number, align: 'right' | undefined): string {
  const fill = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return align === 'right' ? fill + text : text + fill;
}

/** Lines of aligned columns under a heading. */
export function renderTable(items: readonly unknown[], columns: readonly Column[], style: Style): string {
  const rows = items.map((item) =>
    columns.map(({ field, show }) => {
      const value = valueAt(item, field);
      return show ? toSingleLine(show(value, item)) : cellText(value);
    }),
  );
  const widths = columns.map(({ title }, index) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), displayWidth(title)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align))
      .join('  ')
      .trimEnd();
  const heading = style.bold(line(columns.map(({ title }) => title)));
  return [heading, ...rows.map(line)].join('\n');
}

/** One object as `field  value` lines; its maps and objects one line per entry. */
export function renderRecord(item: object, style: Style): string {
  const entries = Object.entries(item).flatMap(([name, value]) => flatten(name, value));
  const longest = entries.reduce((most, [name]) => Math.max(most, displayWidth(name)), 0);
  return entries.map(([name, value]) => `${style.dim(pad(name, longest, undefined))}  ${value}`).join('\n');
}

function flatten(name: string, value: unknown): [string, string][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[printable(name), cellText(value)]];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name}.${key}`, part));
}
