import { UUID_PATTERN } from '../../contract/uuid.js';

const UUID = new RegExp(UUID_PATTERN, 'gi');
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Replaces the parts of a response that differ between services by their kind: UUIDs, times, fingerprints.
 * @param mark The mark of the run, which names what it creates.
 */
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
  // Times in 2040 come from requests and are equal on both sides; others come from the clock.
  if (TIME.test(text) && !text.startsWith('2040-')) return '<time>';
  return text.replaceAll(mark, '<run>').replace(UUID, '<uuid>');
}

/** Deeper levels depend on the tenant, such as on the token types that it has. */
const SHAPE_DEPTH = 2;

/** Replaces values by their types. Omits `modified_*`, which an object has only after a change. */
export function toShape(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === SHAPE_DEPTH)
    return `<${value === null ? 'null' : typeof value}>`;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('modified_'));
  return Object.fromEntries(entries.map(([name, part]) => [name, toShape(part, depth + 1)]));
}

/** Maps the path of each leaf, such as `data.number`, to its JSON. */
export function listLeaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null)
    return new Map([[path, JSON.stringify(value) ?? 'nothing']]);
  const entries = Object.entries(value);
  if (entries.length === 0) return new Map([[path, Array.isArray(value) ? '[]' : '{}']]);
  return new Map(entries.flatMap(([name, part]) => [...listLeaves(part, path ? `${path}.${name}` : name)]));
}
