import { isObject, jsonOf } from '../../../../contract/json.js';
import type { OperationInput } from '../../../../contract/schemas/index.js';
import type { RecordedBody } from './cassette.js';
import { MINIMUM_LENGTH, type NamedValue, ValueForms } from './value-forms.js';

type Token = OperationInput<'tokens.create'>['body'];

/** Yields the primitive values of token data: `token.card.number`. */
function* valuesIn(name: string, data: unknown): Iterable<NamedValue> {
  if (typeof data === 'object' && data !== null)
    for (const [key, part] of Object.entries(data)) yield* valuesIn(`${name}.${key}`, part);
  else yield { name, value: String(data) };
}

/** A token without a literal id is named by its position in the test file. */
const nameOf = ({ id }: Token, index: number): string => (id && !id.includes('{{') ? id : String(index));

/**
 * Creates the placeholders of a test case: the data of the test's tokens, and configuration values, which hold keys and
 * addresses.
 */
export function createPlaceholders(
  tokens: readonly Token[],
  configuration: Readonly<Record<string, string>>,
): ValueForms {
  return new ValueForms([
    ...tokens.flatMap((token, index) => [...valuesIn(`token.${nameOf(token, index)}`, token.data)]),
    ...Object.entries(configuration).map(([name, value]) => ({ name: `configuration.${name}`, value })),
  ]);
}

/** Marks the placeholder of a number. */
const NUMBER = '|number';
const PLACEHOLDER = /^\{\{([^{}|]+)(\|number)?\}\}$/;

/** Finds the token value that a property of this name holds, even if the value is short: `cvc`, `expiration_month`. */
function fieldPlaceholder(key: string, value: string | number, forms: ValueForms): string | undefined {
  const isLong = (text: string) => text.length >= MINIMUM_LENGTH;
  const name = forms.nameOf(
    (one, known) =>
      one.startsWith('token.') && known === String(value) && (isLong(known) || one.endsWith(`.${key}`)),
  );
  return name && `{{${name}${typeof value === 'number' ? NUMBER : ''}}}`;
}

function hideJson(value: unknown, key: string, forms: ValueForms): unknown {
  if (Array.isArray(value)) return value.map((item) => hideJson(item, key, forms));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [forms.hide(name), hideJson(part, name, forms)]),
    );
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  return fieldPlaceholder(key, value, forms) ?? (typeof value === 'string' ? forms.hide(value) : value);
}

function fillJson(value: unknown, forms: ValueForms): unknown {
  if (Array.isArray(value)) return value.map((item) => fillJson(item, forms));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [forms.fill(name), fillJson(part, forms)]),
    );
  if (typeof value !== 'string') return value;
  const [, name = '', number] = PLACEHOLDER.exec(value) ?? [];
  return number ? Number(forms.valueOf(name)) : forms.fill(value);
}

/** Replaces short values of forms and queries: `cvc=123`. */
const hideFields = (text: string, forms: ValueForms): string =>
  text.replace(/(?<=^|[?&])([\w.[\]-]+)=(\w{1,5})(?=&|#|$)/g, (field, key: string, value: string) => {
    const placeholder = fieldPlaceholder(/\w+(?=\W*$)/.exec(key)?.[0] ?? key, value, forms);
    return placeholder ? `${key}=${placeholder}` : field;
  });

/** Hides the values in a URL or a text. */
export function hideText(text: string, forms: ValueForms): string {
  return forms.hide(hideFields(text, forms));
}

/** Digits that a number keeps for certain when it is parsed. */
const FAITHFUL_DIGITS = 15;

/** Whether a JSON text can be made again from its value: without numbers that lose digits. */
function isFaithful(text: string): boolean {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/\d[\d.]*/g) ?? [];
  return numbers.every((number) => number.replace('.', '').length <= FAITHFUL_DIGITS);
}

/** Hides the values in a body. */
export function hideBody(bytes: Uint8Array, forms: ValueForms): RecordedBody | undefined {
  if (bytes.length === 0) return undefined;
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  if (!Buffer.from(text).equals(buffer)) return { bytes: forms.hide(buffer.toString('latin1')) };
  const value = jsonOf(text);
  if (value !== undefined && isFaithful(text)) return { json: hideJson(value, '', forms) };
  return { text: hideText(text, forms) };
}

/** Makes a body with the present values. */
export function fillBody(body: RecordedBody | undefined, forms: ValueForms): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if ('json' in body) return Buffer.from(JSON.stringify(fillJson(body.json, forms)));
  return 'text' in body ? Buffer.from(forms.fill(body.text)) : Buffer.from(forms.fill(body.bytes), 'latin1');
}
