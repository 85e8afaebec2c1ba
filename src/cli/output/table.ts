import { eastAsianWidth } from 'get-east-asian-width';
import { isObject } from '../../contract/json.js';
import { valueAt } from './fields.js';
import { escapeControls, type Style } from './style.js';

export interface Column {
  title: string;
  /** Path of the value in the item: `metadata.customer`. */
  field: string;
  align?: 'right';
  /** Formats the value. */
  show?: (value: unknown, item: unknown) => string;
}

/** Puts text on one line, keeping its number of spaces. */
const toSingleLine = (text: string): string => escapeControls(text).replace(/\s/g, ' ');

/** Formats a value as the text of a cell; objects and lists become JSON on one line. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return escapeControls(typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
}

/** Returns the width of text on a terminal, where wide characters take two columns and combining ones none. */
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

/** Formats items as aligned columns under a heading. */
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

/** Formats an object as `field  value` lines, with one line per entry of nested objects. */
export function renderRecord(item: object, style: Style): string {
  const entries = Object.entries(item).flatMap(([name, value]) => flatten(name, value));
  const longest = entries.reduce((most, [name]) => Math.max(most, displayWidth(name)), 0);
  return entries.map(([name, value]) => `${style.dim(pad(name, longest, undefined))}  ${value}`).join('\n');
}

function flatten(name: string, value: unknown): [string, string][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[escapeControls(name), cellText(value)]];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name}.${key}`, part));
}
