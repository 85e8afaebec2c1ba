import type { OutputSettings } from '../config/settings.js';
import { isPage, itemsOf, pick } from './fields.js';
import { loadStyle, type Style } from './style.js';
import type { Column } from './table.js';
import type { View } from './view.js';

/** Fields that only the response to a create has. */
const SHOWN_ONCE = ['key'];

export const fieldsOf = (chosen: readonly string[], { always = [] }: View): string[] => [
  ...new Set([...chosen, ...always]),
];

/** Gives a time that a flag asks for its room on a narrow terminal. */
const keepTime = (column: Column): Column =>
  column.format === 'time' ? { ...column, importance: Number.POSITIVE_INFINITY } : column;

/** Formats a result for a terminal, in lines of at most the width of the settings. */
export async function formatTable(value: unknown, view: View, settings: OutputSettings): Promise<string> {
  const { width } = settings;
  const style = await loadStyle(settings.color.stdout);
  if (view.render && !settings.fields)
    return (view.render as (value: unknown, style: Style, width: number) => string)(value, style, width);
  const { renderTable, cellsOf, cellText } = await import('./table.js');
  const { timeFormat } = await import('./times.js');
  const formatTime = timeFormat(settings.times);
  const { renderRecord } = await import('./record.js');
  const items = isPage(value) ? value.data : value;
  if (!Array.isArray(items) && view.brief && view.columns && !settings.fields)
    return renderRecord(
      { ...cellsOf(items, view.columns, formatTime), ...pick(items, SHOWN_ONCE) },
      style,
      width,
    );
  const show = (item: unknown) =>
    typeof item === 'object' && item !== null ? renderRecord(item, style, width) : cellText(item);
  if (!Array.isArray(items))
    return show(settings.fields ? pick(items, fieldsOf(settings.fields, view)) : items);
  const isAsked = settings.times !== 'relative' && Number.isFinite(width);
  const ownColumns = isAsked ? view.columns?.map(keepTime) : view.columns;
  const columns = settings.fields?.map((field) => ({ title: field, field })) ?? ownColumns;
  if (items.length === 0) return '';
  if (columns) return renderTable(items, columns, style, width, formatTime);
  return items.map(show).join('\n\n');
}

export async function formatYaml(value: unknown): Promise<string> {
  // The bundle reliably exposes only the default export of a CommonJS package.
  const { default: yaml } = await import('yaml');
  return yaml.stringify(value, { lineWidth: 0 }).trimEnd();
}

export const formatNdjson = (value: unknown): string =>
  itemsOf(value)
    .map((item) => JSON.stringify(item))
    .join('\n');

export const isEmpty = (value: unknown): boolean => itemsOf(value).length === 0;
