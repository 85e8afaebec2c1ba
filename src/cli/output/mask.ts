import { revealLast } from '../../contract/masking.js';
import { PLACEHOLDER } from '../lib/placeholder.js';

type Json = unknown;
type Filter = (value: string, argument: number) => string;

/** The filters of the default masks. A mask with any other filter is not evaluated and hides the value. */
const FILTERS = new Map<string, Filter>([
  ['reveal_last', revealLast],
  ['last4', (value) => [...value].slice(-4).join('')],
]);

const EXPRESSION = /^\{\{\s*data((?:\.\w+)*)\s*(?:[|,]\s*(\w+)\s*(?::\s*(\d+)\s*)?)?\}\}$/;

function lookUp(data: Json, path: string): Json {
  let value = data;
  for (const name of path.split('.').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, Json>)[name];
  }
  return value;
}

function evaluate(expression: string, data: Json): Json {
  const match = EXPRESSION.exec(expression.trim());
  if (!match) return expression.includes('{{') ? PLACEHOLDER : expression;
  const [, path = '', name, argument] = match;
  const value = lookUp(data, path);
  if (value === undefined || name === undefined) return value;
  const filter = FILTERS.get(name);
  if (!filter || (name === 'reveal_last') !== (argument !== undefined)) return PLACEHOLDER;
  return filter(typeof value === 'string' ? value : JSON.stringify(value), Number(argument));
}

function applyMask(mask: Json, data: Json): Json {
  if (typeof mask === 'string') return evaluate(mask, data);
  if (typeof mask !== 'object' || mask === null) return mask;
  if (Array.isArray(mask)) return mask.map((item) => applyMask(item, data) ?? null);
  const entries = Object.entries(mask).map(([name, part]) => [name, applyMask(part, data)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Masks a token's data, whether or not the service has already done so; applying a default mask twice changes nothing.
 * Masks with other filters than those of the default masks are not evaluated, and the placeholder is returned.
 */
export function maskData(data: Json, mask: Json): Json {
  return mask === undefined || mask === null ? PLACEHOLDER : applyMask(mask, data);
}
