import { TOKEN_FIELDS, type TokenField } from '../../../contract/token-fields.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES, type TokenType } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import type { ContentOptions } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { parseJsonOrText } from '../../lib/json.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printEach } from '../shared/batch.js';
import { printWritten } from '../shared/entity-names.js';
import { oneOf, requireFlags } from '../shared/flag-values.js';
import { parseJson, parsePairs, readJson, readPatch } from '../shared/input.js';
import { TOKEN_VIEW } from './read.js';

type TokenBody = Record<string, unknown>;

/** Converts a field's value to the type it has in this token type; other fields stay strings with leading zeros. */
function parseField(name: string, value: string, type: string): string | number {
  const field = TOKEN_FIELDS[type as TokenType]?.[name];
  if (field?.type !== 'integer') return value;
  if (!/^\d{1,9}$/.test(value)) throw usageError(`--field ${name} must be a whole number.`);
  return Number(value);
}

function fieldsToData(fields: readonly string[], type: string): TokenBody {
  const pairs = Object.entries(parsePairs(fields, '--field'));
  return Object.fromEntries(pairs.map(([name, value]) => [name, parseField(name, value, type)]));
}

async function readMask(mask: string, context: Context): Promise<unknown> {
  if (mask.startsWith('@')) return readJson(mask, '--mask', context);
  return /^\s*(?:\{(?!\{)|\[|"|null\s*$)/.test(mask) ? parseJson(mask, '--mask') : mask;
}

async function contentBody(options: ContentOptions, context: Context): Promise<TokenBody> {
  const { mask, metadata } = options;
  return {
    mask: mask === undefined ? undefined : await readMask(mask, context),
    containers: options.container,
    metadata: metadata && parsePairs(metadata, '--metadata'),
    search_indexes: options.searchIndex,
    fingerprint_expression: options.fingerprintExpression,
    deduplicate_token: options.deduplicate,
    expires_at: options.expiresAt,
  };
}

export interface TypeOptions extends Pick<ContentOptions, 'data' | 'field'> {
  type?: string | undefined;
}

interface CreateOptions extends ContentOptions, TypeOptions {
  id?: string | undefined;
  intent?: string | undefined;
}

export async function createToken(options: CreateOptions, context: Context): Promise<void> {
  const { id, intent, type, data, field } = options;
  if (intent !== undefined && (type ?? data ?? field) !== undefined)
    throw usageError('--intent cannot be used with --type, --data or --field.');
  const what = intent === undefined ? await typeAndData(options, context) : { token_intent_id: intent };
  const body = { id, ...what, ...(await contentBody(options, context)) };
  rejectPlaceholder(body);
  const created = await context.client.send('tokens.create', { body });
  await printWritten(created.body, 'token', TOKEN_VIEW, context);
  if (created.status === 200)
    context.output.notice('This token was there already, with the same data; none was created.');
}

export async function typeAndData(
  options: TypeOptions,
  context: Context,
): Promise<{ type: TokenType; data: unknown }> {
  if (!context.prompts.interactive)
    requireFlags({ '--type': options.type, '--data or --field': options.data ?? options.field });
  // With data at hand, a type that only the service knows is its to judge.
  if (!options.data && !options.field) oneOf(TOKEN_TYPE_NAMES, options.type, '--type');
  const type = options.type ?? (await askType(context));
  return { type: type as TokenType, data: await dataOf(type, options, context) };
}

async function dataOf(type: string, { data, field }: TypeOptions, context: Context): Promise<unknown> {
  if (data !== undefined && field) throw usageError('--data and --field cannot be used together.');
  if (data !== undefined) return readJson(data, '--data', context);
  if (!field) return askData(type, context);
  if (type !== 'token' && type in TOKEN_TYPES && !TOKEN_FIELDS[type as TokenType])
    throw usageError(
      `--field cannot be used with the type ${type}, whose data is a single value. Use --data.`,
    );
  return fieldsToData(field, type);
}

function askType({ prompts }: Context): Promise<string> {
  return prompts.select({
    flag: '--type',
    message: 'Token type',
    choices: TOKEN_TYPE_NAMES.map((name) => ({ name, value: name, description: TOKEN_TYPES[name].data })),
  });
}

/** Prompts for each field of the type's data, or for a single hidden value if the type has no fields. */
async function askData(type: string, { prompts }: Context): Promise<unknown> {
  const fields = TOKEN_FIELDS[type as TokenType];
  // The schemas take time to load, which commands without questions do not spend.
  const { tokenDataSchemas } = await import('../../../contract/schemas/token-data.js');
  const problemOf = (value: unknown, property?: string): string | undefined => {
    const { error } = tokenDataSchemas[type as TokenType].safeParse(value);
    const issue = error?.issues.find(({ path }) => property === undefined || path[0] === property);
    return issue && `The value ${issue.message}.`;
  };
  if (!fields) {
    const validate = (value: string) => (value === '' ? 'A value is required.' : (problemOf(value) ?? true));
    const text = await prompts.secret({ flag: '--data', message: 'Data', validate });
    return type === 'token' && /^\s*[[{]/.test(text) ? parseJsonOrText(text, '--data') : text;
  }
  const data: TokenBody = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = await askField(field, (one) => problemOf({ [name]: one }, name), prompts);
    if (value !== '') data[name] = toFieldValue(field, value);
  }
  return data;
}

const toFieldValue = ({ type }: TokenField, value: string): string | number =>
  type === 'integer' ? Number(value) : value;

/** Asks until the value of the field is valid, so that a later error of the service does not lose the others. */
function askField(
  field: TokenField,
  problemOf: (value: unknown) => string | undefined,
  prompts: Context['prompts'],
): Promise<string> {
  const validate = (value: string): true | string => {
    if (value === '') return field.required ? 'A value is required.' : true;
    return problemOf(toFieldValue(field, value)) ?? true;
  };
  const message = field.required ? field.label : `${field.label} (optional)`;
  const question = { flag: '--data or --field', message, validate };
  return field.sensitive ? prompts.secret(question) : prompts.text(question);
}

type UpdateOptions = ContentOptions & { id: string[] } & Options<'patch'>;

export async function updateTokens(options: UpdateOptions, context: Context): Promise<void> {
  const { client } = context;
  const { id: ids, field } = options;
  const patch = await patchOf(options, context);
  rejectPlaceholder(patch);
  const update = async (id: string) => {
    const body = field
      ? { ...patch, data: { ...(patch.data as object), ...(await fieldData(id, field, context)) } }
      : patch;
    return client.call('tokens.update', { path: { id }, body });
  };
  await printEach(ids, update, { view: { ...TOKEN_VIEW, brief: true }, what: 'tokens' }, context);
}

async function patchOf(options: UpdateOptions, context: Context): Promise<TokenBody> {
  const { patch, data, field } = options;
  if (data !== undefined && field) throw usageError('--data and --field cannot be used together.');
  const flags = {
    ...(data !== undefined && { data: await readJson(data, '--data', context) }),
    // Fields are added for each token, because their types depend on its type.
    ...(field && { data: {} }),
    ...(await contentBody(options, context)),
  };
  return readPatch(patch, flags, context, '--data, --field, --metadata');
}

const INTEGER_FIELDS = new Set(
  Object.values(TOKEN_FIELDS).flatMap((fields) =>
    Object.keys(fields ?? {}).filter((name) => fields?.[name]?.type === 'integer'),
  ),
);

/** Converts `--field` pairs. The token's type is looked up only if one of the fields depends on it. */
async function fieldData(id: string, fields: readonly string[], { client }: Context): Promise<TokenBody> {
  const names = Object.keys(parsePairs(fields, '--field'));
  if (!names.some((name) => INTEGER_FIELDS.has(name))) return fieldsToData(fields, 'token');
  const { type } = await client.call('tokens.get', { path: { id } });
  return fieldsToData(fields, type);
}
