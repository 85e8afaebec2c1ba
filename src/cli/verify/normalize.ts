import { UUID_PATTERN } from '../../contract/uuid.js';

const UUID = new RegExp(UUID_PATTERN, 'gi');
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** A value of one service as it compares with that of another: what must differ is replaced by what it is. */
export function normalize(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return normalizeText(value, mark);
  if (Array.isArray(value)) return value.map((item) => normalize(item, mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'fingerprint' ? '<fingerprint>' : normalize(part, mark),
    ]),
  );
}

function normalizeText(text: string, mark: string): string {
  // A time that was asked for is the same on both sides; the years of the clock are not.
  if (TIME.test(text) && !text.startsWith('2040-')) return '<time>';
  return text.replaceAll(mark, '<run>').replace(UUID, '<uuid>');
}

/** Deeper down stands what depends on the tenant: which token types it has, say. */
const SHAPE_DEPTH = 2;

/** The types alone; without who changed it last, which an untouched one does not have. */
export function shapeOf(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === SHAPE_DEPTH)
    return `<${value === null ? 'null' : typeof value}>`;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('modified_'));
  return Object.fromEntries(entries.map(([name, part]) => [name, shapeOf(part, depth + 1)]));
}

/** Every leaf under its path: `data.number` → its JSON. */
export function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null)
    return new Map([[path, JSON.stringify(value) ?? 'nothing']]);
  const entries = Object.entries(value);
  if (entries.length === 0) return new Map([[path, Array.isArray(value) ? '[]' : '{}']]);
  return new Map(entries.flatMap(([name, part]) => [...leavesOf(part, path ? `${path}.${name}` : name)]));
}
