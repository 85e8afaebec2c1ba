import { TOKEN_FIELDS, type TokenField } from '../../../contract/token-fields.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES, type TokenType } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import type { ContentOptions } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { parseJsonOrText } from '../../lib/json.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printWritten } from '../shared/entity-names.js';
import { oneOf, requireFlags } from '../shared/flag-values.js';
import { readJson } from '../shared/input.js';
import { contentBody, fieldsToData, type TokenBody } from './body.js';
import { TOKEN_VIEW } from './view.js';

interface CreateOptions extends ContentOptions {
  type?: string | undefined;
  id?: string | undefined;
}

export async function run(options: CreateOptions, context: Context): Promise<void> {
  if (!context.prompts.interactive)
    requireFlags({ '--type': options.type, '--data or --field': options.data ?? options.field });
  // With data at hand, a type that only the service knows is its to judge.
  if (!options.data && !options.field) oneOf(TOKEN_TYPE_NAMES, options.type, '--type');
  const type = options.type ?? (await askType(context));
  const body = {
    ...(options.id !== undefined && { id: options.id }),
    type: type as TokenType,
    data: await dataOf(type, options, context),
    ...(await contentBody(options, context)),
  };
  rejectPlaceholder(body);
  await printWritten(await context.client.call('tokens.create', { body }), 'token', TOKEN_VIEW, context);
}

async function dataOf(type: string, { data, field }: CreateOptions, context: Context): Promise<unknown> {
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
  const { dataProblem } = await import('./data-problem.js');
  if (!fields) {
    const validate = (value: string) =>
      value === '' ? 'A value is required.' : (dataProblem(type, value) ?? true);
    const text = await prompts.secret({ flag: '--data', message: 'Data', validate });
    return type === 'token' ? parseIfJson(text) : text;
  }
  const data: TokenBody = {};
  for (const [name, field] of Object.entries(fields)) {
    const problemOf = (value: unknown) => dataProblem(type, { [name]: value }, name);
    const value = await askField(field, problemOf, prompts);
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

/** Parses input that looks like an object or array; any other input is a string. */
function parseIfJson(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parseJsonOrText(text, '--data') : text;
}
