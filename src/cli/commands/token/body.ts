import { TOKEN_FIELDS } from '../../../contract/token-fields.js';
import type { TokenType } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import type { ContentOptions } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { parseJson, parsePairs, readJson } from '../shared/input.js';

export type TokenBody = Record<string, unknown>;

/** Converts a field's value to the type it has in this token type; other fields stay strings with leading zeros. */
function parseField(name: string, value: string, type: string): string | number {
  const field = TOKEN_FIELDS[type as TokenType]?.[name];
  if (field?.type !== 'integer') return value;
  if (!/^\d{1,9}$/.test(value)) throw usageError(`--field ${name} must be a whole number.`);
  return Number(value);
}

/** Converts `--field` pairs to the data of a token of this type. */
export function fieldsToData(fields: readonly string[], type: string): TokenBody {
  const pairs = Object.entries(parsePairs(fields, '--field'));
  return Object.fromEntries(pairs.map(([name, value]) => [name, parseField(name, value, type)]));
}

/** Reads a mask: `@file`, JSON if it looks like JSON, or else an expression. */
async function readMask(mask: string, context: Context): Promise<unknown> {
  if (mask.startsWith('@')) return readJson(mask, '--mask', context);
  return /^\s*(?:\{(?!\{)|\[|"|null\s*$)/.test(mask) ? parseJson(mask, '--mask') : mask;
}

/** Reads the flags as a request body, without `data`. */
export async function contentBody(options: ContentOptions, context: Context): Promise<TokenBody> {
  const body: TokenBody = {};
  if (options.mask !== undefined) body.mask = await readMask(options.mask, context);
  if (options.container) body.containers = options.container;
  if (options.metadata) body.metadata = parsePairs(options.metadata, '--metadata');
  if (options.searchIndex) body.search_indexes = options.searchIndex;
  if (options.fingerprintExpression !== undefined)
    body.fingerprint_expression = options.fingerprintExpression;
  if (options.deduplicate !== undefined) body.deduplicate_token = options.deduplicate;
  if (options.expiresAt !== undefined) body.expires_at = options.expiresAt;
  return body;
}
