import { TOKEN_FIELDS } from '../../../contract/token-fields.js';
import type { TokenType } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { parseJson, parsePairs, readJson } from '../shared/input.js';

/** The flags that create and update share. */
export interface ContentOptions {
  data?: string | undefined;
  field?: string[] | undefined;
  mask?: string | undefined;
  container?: string[] | undefined;
  metadata?: string[] | undefined;
  searchIndex?: string[] | undefined;
  fingerprintExpression?: string | undefined;
  deduplicate?: boolean | undefined;
  expiresAt?: string | undefined;
}

export type TokenBody = Record<string, unknown>;

/** A field's value, typed as its token type says; a string where that says nothing, so that leading zeros stay. */
function typed(name: string, value: string, type: string): string | number {
  const field = TOKEN_FIELDS[type as TokenType]?.[name];
  if (field?.type !== 'integer') return value;
  if (!/^\d{1,9}$/.test(value)) throw usageError(`--field ${name} must be a whole number.`);
  return Number(value);
}

/** `--field` pairs as the data of a token of this type. */
export function fieldsToData(fields: readonly string[], type: string): TokenBody {
  const pairs = Object.entries(parsePairs(fields, '--field'));
  return Object.fromEntries(pairs.map(([name, value]) => [name, typed(name, value, type)]));
}

/** A mask is JSON where it looks like it, else an expression. */
async function readMask(mask: string, context: Context): Promise<unknown> {
  if (mask.startsWith('@')) return readJson(mask, '--mask', context);
  return /^\s*(?:\{(?!\{)|\[|"|null\s*$)/.test(mask) ? parseJson(mask, '--mask') : mask;
}

/** The properties that were given, as a request body; `data` is the caller's matter. */
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
