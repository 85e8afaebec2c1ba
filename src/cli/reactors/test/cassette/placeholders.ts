import { isObject, jsonOf, mapLeaves } from '../../../../contract/json.js';
import type { OperationInput } from '../../../../contract/schemas/index.js';
import { preservesNumbers } from '../../../lib/json.js';
import type { RecordedBody } from './cassette.js';
import { type NamedValue, ValueForms } from './value-forms.js';

type Token = OperationInput<'tokens.create'>['body'];

/** Yields the primitive values of token data: `token.card.number`. */
function* valuesIn(name: string, data: unknown, property?: string): Iterable<NamedValue> {
  if (typeof data === 'object' && data !== null)
    for (const [key, part] of Object.entries(data))
      yield* valuesIn(`${name}.${key}`, part, Array.isArray(data) ? property : key);
  else yield { name, value: String(data), ...(property !== undefined && { property }) };
}

/** A token without a literal id is named by its position in the test file. */
const nameOf = ({ id }: Token, index: number): string => (id && !id.includes('{{') ? id : String(index));

/** Creates the placeholders of a test case: for the data of its tokens, and configuration values, which hold keys and addresses. */
export const createPlaceholders = (
  tokens: readonly Token[],
  configuration: Readonly<Record<string, string>>,
): ValueForms =>
  new ValueForms([
    ...tokens.flatMap((token, index) =>
      'data' in token ? [...valuesIn(`token.${nameOf(token, index)}`, token.data)] : [],
    ),
    ...Object.entries(configuration).map(([name, value]) => ({ name: `configuration.${name}`, value })),
  ]);

const NUMBER = '|number';
const PLACEHOLDER = /^\{\{([^{}|]+)(\|number)?\}\}$/;

function fieldPlaceholder(key: string, value: string | number, forms: ValueForms): string | undefined {
  const name = forms.nameOf(key, String(value));
  return name && `{{${name}${typeof value === 'number' ? NUMBER : ''}}}`;
}

function hideJson(value: unknown, key: string, forms: ValueForms): unknown {
  if (Array.isArray(value)) {
    const [label] = value;
    const isPair = value.length === 2 && typeof label === 'string';
    return value.map((item, index) => hideJson(item, isPair && index === 1 ? label : key, forms));
  }
  if (isObject(value)) {
    // The name of what `{ "name": "cvc", "value": "837" }` holds.
    const label = [value.name, value.key].find((one) => typeof one === 'string');
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        forms.hide(name),
        hideJson(part, name === 'value' && label !== undefined ? label : name, forms),
      ]),
    );
  }
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  return fieldPlaceholder(key, value, forms) ?? (typeof value === 'string' ? forms.hide(value) : value);
}

function fillJson(value: unknown, forms: ValueForms): unknown {
  const fillLeaf = (leaf: unknown) => {
    if (typeof leaf !== 'string') return leaf;
    const [, name = '', number] = PLACEHOLDER.exec(leaf) ?? [];
    return number ? Number(forms.valueOf(name)) : forms.fill(leaf);
  };
  return mapLeaves(value, fillLeaf, (name) => forms.fill(name));
}

export const hideHeader = (name: string, value: string, forms: ValueForms): string =>
  fieldPlaceholder(name, value, forms) ?? forms.hide(value);

export function hideBody(bytes: Uint8Array, forms: ValueForms): RecordedBody | undefined {
  if (bytes.length === 0) return undefined;
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  if (!Buffer.from(text).equals(buffer)) return { bytes: forms.hide(buffer.toString('latin1')) };
  const value = jsonOf(text);
  if (value !== undefined && preservesNumbers(text)) return { json: hideJson(value, '', forms) };
  return { text: forms.hide(text) };
}

export function fillBody(body: RecordedBody | undefined, forms: ValueForms): Uint8Array {
  if (body === undefined) return new Uint8Array();
  if ('json' in body) return Buffer.from(JSON.stringify(fillJson(body.json, forms)));
  return 'text' in body ? Buffer.from(forms.fill(body.text)) : Buffer.from(forms.fill(body.bytes), 'latin1');
}
