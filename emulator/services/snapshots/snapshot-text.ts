import { isObject } from '../../../src/contract/json.js';
import { COLLECTION_NAMES } from '../../store/collections.js';
import { damagedSnapshot } from '../../store/snapshot-storage.js';
import type { Insert } from '../../store/store.js';

const FORMAT = 1;
const NAMES: ReadonlySet<unknown> = new Set(COLLECTION_NAMES);

/** The first line of a snapshot. */
interface Head {
  name: string;
  created_at: string;
  /** The number of tokens in it. */
  tokens: number;
}

/** Writes a snapshot: its head, then a line for each record. */
export function formatSnapshot(head: Head, inserts: readonly string[]): string {
  return `${[JSON.stringify({ format: FORMAT, ...head }), ...inserts].join('\n')}\n`;
}

/** Reads the head of a snapshot. @throws DamagedError */
export function parseHead(name: string, text: string): Head {
  const head = parseLine(name, text.slice(0, text.indexOf('\n')), 1);
  const { format, created_at, tokens } = head;
  if (format !== FORMAT || typeof created_at !== 'string' || typeof tokens !== 'number')
    throw damagedSnapshot(name, 1, `it is not the head of a snapshot of format ${FORMAT}`);
  return { name, created_at, tokens };
}

/** Reads a whole snapshot: one that lacks records would remove what it should bring back. @throws DamagedError */
export function parseSnapshot(name: string, text: string): Insert[] {
  const { tokens } = parseHead(name, text);
  const [, ...lines] = text.trimEnd().split('\n');
  const inserts = lines.map((line, index) => parseInsert(name, line, index + 2));
  const found = inserts.filter(({ insert }) => insert === 'tokens').length;
  if (found !== tokens)
    throw damagedSnapshot(name, 1, `it promises ${tokens} tokens, and there are ${found}`);
  return inserts;
}

function parseInsert(name: string, line: string, number: number): Insert {
  const { insert, record } = parseLine(name, line, number);
  if (NAMES.has(insert) && isObject(record) && typeof record.id === 'string')
    return { insert, record } as unknown as Insert;
  throw damagedSnapshot(name, number, 'it is not a record');
}

function parseLine(name: string, line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // As any other text that is not a record.
  }
  throw damagedSnapshot(name, number, 'it is not a JSON object');
}
