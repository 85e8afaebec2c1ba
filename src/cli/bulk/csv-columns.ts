import { isObject, jsonOf } from '../../contract/json.js';
import { TOKEN_FIELDS } from '../../contract/token-fields.js';
import type { TokenType } from '../../contract/token-types.js';
import { usageError } from '../lib/errors.js';
import { defineOwn, parseJsonOrText, setAtPath } from '../lib/json.js';
import { READ_ONLY_PROPERTIES } from './row.js';

/** Columns of one text value. `data.<field>` and `metadata.<key>` are accepted in addition to all listed columns. */
const PLAIN_COLUMNS = ['id', 'type', 'fingerprint_expression', 'expires_at'];
const LIST_COLUMNS = ['containers', 'search_indexes'];
const OTHER_COLUMNS = ['data', 'metadata', 'mask', 'deduplicate_token'];

/** A document is one cell of JSON: it would add columns to every export. */
const { document: _, ...CELL_FIELDS } = TOKEN_FIELDS;

/** The fields of the other token types that have them, as columns: `data.number`. */
const FIELD_COLUMNS: readonly string[] = Object.values(CELL_FIELDS).flatMap((fields) =>
  Object.keys(fields).map((name) => `data.${name}`),
);

/** Columns of an export, in this order. An import accepts them and ignores the read-only ones. */
export const EXPORT_COLUMNS: readonly string[] = [
  ...['id', 'type', 'data', ...FIELD_COLUMNS, 'metadata', 'containers', 'mask', 'search_indexes'],
  ...['fingerprint_expression', 'expires_at', 'fingerprint', 'tenant_id'],
  ...['created_by', 'created_at', 'modified_by', 'modified_at'],
];

type Row = Readonly<Record<string, string>>;

const isKnown = (column: string): boolean =>
  [...PLAIN_COLUMNS, ...LIST_COLUMNS, ...OTHER_COLUMNS, ...READ_ONLY_PROPERTIES].includes(column) ||
  /^(?:data|metadata)\../.test(column);

/** @throws {CliError} for unknown and repeated columns, whose data would be lost. */
export function checkColumns(columns: readonly string[]): void {
  const repeated = columns.find((column, index) => columns.indexOf(column) < index);
  if (repeated !== undefined) throw usageError(`Two columns are named ${JSON.stringify(repeated)}.`);
  const unknown = columns.filter((column) => !isKnown(column));
  if (unknown.length === 0) return;
  throw usageError(
    `Unknown columns: ${unknown.map((column) => JSON.stringify(column)).join(', ')}.`,
    `Known columns: ${[...PLAIN_COLUMNS, ...LIST_COLUMNS, ...OTHER_COLUMNS].join(', ')}, data.<field> and metadata.<key>.`,
  );
}

/** Parses a `data` cell: JSON, as an export writes it, or else text. */
function parseData(text: string, type: string): unknown {
  const parsed = parseJsonOrText(text, 'data');
  // The other types are strings of digits: a number would lose leading zeros.
  const isJson = type === 'token' || type in TOKEN_FIELDS || typeof parsed !== 'number';
  return isJson ? parsed : text;
}

function parseField(text: string, name: string, type: string): unknown {
  const field = TOKEN_FIELDS[type as TokenType]?.[name];
  return field?.type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

const parseList = (text: string): unknown => {
  const parsed = text.startsWith('[') ? jsonOf(text) : undefined;
  return parsed ?? text.split(';').map((part) => part.trim());
};

const parseMask = (text: string): unknown =>
  /^\s*(?:\{(?!\{)|\[|")/.test(text) ? (jsonOf(text) ?? text) : text;

function parseCell(column: string, text: string, type: string): unknown {
  if (LIST_COLUMNS.includes(column)) return parseList(text);
  if (column === 'data') return parseData(text, type);
  if (column === 'metadata') return jsonOf(text) ?? text;
  if (column === 'mask') return parseMask(text);
  if (column === 'deduplicate_token') return jsonOf(text.toLowerCase()) ?? text;
  return text;
}

export function parseRecord(row: Row, defaultType: string | undefined): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  const type = row.type || defaultType || '';
  for (const [column, text] of Object.entries(row)) {
    if (text === '' || READ_ONLY_PROPERTIES.includes(column)) continue;
    const [, parent = '', name = ''] = /^(data|metadata)\.(.+)$/.exec(column) ?? [];
    if (parent !== '')
      setAtPath(record, [parent, name], parent === 'data' ? parseField(text, name, type) : text);
    else defineOwn(record, column, parseCell(column, text, type));
  }
  return record;
}

/** Returns data as cells by column; undefined if cells of its fields would not be imported as the same data. */
function toFieldCells(data: unknown, type: string): Record<string, string> | undefined {
  const fields = new Map(Object.entries(CELL_FIELDS)).get(type);
  if (!fields || !isObject(data) || Object.keys(data).length === 0) return undefined;
  const cells: Record<string, string> = {};
  for (const [name, value] of Object.entries(data)) {
    // What is structured has no cell, and may have a `toString` of its own.
    const text = typeof value === 'object' ? '' : String(value);
    if (!Object.hasOwn(fields, name) || text === '' || parseField(text, name, type) !== value)
      return undefined;
    cells[`data.${name}`] = text;
  }
  return cells;
}

/** Converts a token to cells: text as it is, fields of cards and banks in their own columns, everything structured as JSON. */
export function toCells(token: Readonly<Record<string, unknown>>): string[] {
  const { data, ...properties } = token;
  const fieldCells = toFieldCells(data, String(token.type));
  const values: Readonly<Record<string, unknown>> = fieldCells ? { ...properties, ...fieldCells } : token;
  return EXPORT_COLUMNS.map((column) => {
    const value = values[column];
    if (value === undefined || value === null) return '';
    return typeof value === 'string' && column !== 'data' && column !== 'mask'
      ? value
      : JSON.stringify(value);
  });
}
