// The forms in which a value appears in text. They are found, and replaced by templates from which the text can be made again.

import { NAMED_CHARACTERS, NamedValues } from '../../../../contract/named-values.js';
import { ENCODED, ENCODINGS, ESCAPES } from '../../../../contract/text-forms.js';

/** A value with the name that stands for it: `token.card.number`. */
export interface NamedValue {
  name: string;
  value: string;
  /** The property that holds it, behind whose name it is found even if it is short. */
  property?: string;
}

/** Shorter values occur in any text; they are found behind their names. */
const MINIMUM_LENGTH = NAMED_CHARACTERS + 1;
/** Digits of a number that is found with separators between them: `4242 4242 4242 4242`. */
const MINIMUM_DIGITS = 8;
/** Encoded texts in encoded texts, such as a token of a token. */
const MAX_DEPTH = 3;

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const digitsOf = (text: string): string => text.replace(/[ -]/g, '');

/** A form of a value: as it is, escaped, or with other separators between its digits. */
interface Form {
  name: string;
  escaping?: string;
  pattern: string;
  length: number;
}

function formsOf({ name, value }: NamedValue): Form[] {
  const toForm = (text: string) => ({ name, pattern: escapeRegExp(text), length: text.length });
  const escaped = Object.entries(ESCAPES)
    .map(([escaping, encode]) => ({ ...toForm(encode(value)), escaping, text: encode(value) }))
    .filter(({ text }) => text !== value);
  const digits = digitsOf(value);
  const isNumber = /^\d+$/.test(digits) && digits.length >= MINIMUM_DIGITS;
  const pattern = [...digits].join('(?:[ -]|%20|\\+)?');
  const spaced = { name, escaping: 'digits', pattern, length: digits.length };
  return [toForm(value), ...escaped, ...(isNumber ? [spaced] : [])];
}

/** Replaces values by templates, and templates by values: `{{token.card.number}}`, `{{base64 "{{token.card.number}}:"}}`. */
export class ValueForms {
  readonly #values: ReadonlyMap<string, string>;
  readonly #forms: readonly Form[];
  readonly #pattern: RegExp | undefined;
  readonly #short = new NamedValues<string>();

  constructor(values: readonly NamedValue[]) {
    this.#values = new Map(values.map(({ name, value }) => [name, value]));
    for (const { name, value, property } of values)
      if (property !== undefined) this.#short.add(property, value, name);
    const found = values.filter(({ value }) => value.length >= MINIMUM_LENGTH);
    // The longest first: a value may contain another one.
    this.#forms = found.flatMap(formsOf).sort((a, b) => b.length - a.length);
    if (this.#forms.length > 0)
      this.#pattern = new RegExp(this.#forms.map(({ pattern }) => `(${pattern})`).join('|'), 'g');
  }

  /** Replaces values in every form, the short ones behind their names. */
  hide(text: string, depth = MAX_DEPTH): string {
    let result = '';
    let end = 0;
    for (const { start, end: next, item } of this.#short.find(text)) {
      result += `${this.#hideLong(text.slice(end, start), depth)}{{${item}}}`;
      end = next;
    }
    return result + this.#hideLong(text.slice(end), depth);
  }

  #hideLong(text: string, depth: number): string {
    let result = '';
    let end = 0;
    for (const match of this.#pattern ? text.matchAll(this.#pattern) : []) {
      const form = this.#forms[match.slice(1).findIndex((group) => group !== undefined)];
      if (!form) continue;
      result += this.#hideEncoded(text.slice(end, match.index), depth) + templateOf(form, match[0]);
      end = match.index + match[0].length;
    }
    return result + this.#hideEncoded(text.slice(end), depth);
  }

  /** Decodes what looks like base64 or hex, and replaces what contains a value. */
  #hideEncoded(text: string, depth: number): string {
    if (depth === 0) return text;
    return text.replace(ENCODED, (encoded) => {
      for (const [name, { encode, decode }] of Object.entries(ENCODINGS)) {
        const decoded = decode(encoded);
        if (encode(decoded) !== encoded) continue;
        const hidden = this.hide(decoded, depth - 1);
        if (hidden !== decoded) return `{{${name} ${JSON.stringify(hidden)}}}`;
      }
      return encoded;
    });
  }

  /** Makes a text from one that `hide` returned, with the present values. A template of an unknown value stays. */
  fill(text: string): string {
    return text.replace(
      /\{\{(?:([\w-]+) ("(?:[^"\\]|\\.)*")|([^{}|]+)(?:\|([\w-]+)(?::([^{}]*))?)?)\}\}/g,
      (template, encoding, inner, name, escaping, digits) => {
        if (encoding !== undefined)
          return ENCODINGS[encoding]?.encode(this.fill(JSON.parse(inner) as string)) ?? template;
        const value = this.#values.get(name);
        if (value === undefined) return template;
        if (escaping === 'digits') return spaceDigits(value, digits ?? '');
        return escaping === undefined ? value : (ESCAPES[escaping]?.(value) ?? template);
      },
    );
  }

  /** Returns the name of the token value that a property of this name holds, even if it is short. */
  nameOf(property: string, value: string): string | undefined {
    const short = this.#short.get(property, value);
    if (short !== undefined || value.length < MINIMUM_LENGTH) return short;
    for (const [name, known] of this.#values) if (known === value && name.startsWith('token.')) return name;
    return undefined;
  }

  valueOf(name: string): string | undefined {
    return this.#values.get(name);
  }
}

function templateOf({ name, escaping }: Form, text: string): string {
  if (escaping === undefined) return `{{${name}}}`;
  const pattern = escaping === 'digits' ? `:${text.replace(/%20/g, '_').replace(/\d/g, '#')}` : '';
  return `{{${name}|${escaping}${pattern}}}`;
}

/** `#### ####` of 42424242 is `4242 4242`; further digits are appended. */
function spaceDigits(value: string, pattern: string): string {
  const digits = [...digitsOf(value)];
  const spaced = pattern.replace(/#/g, () => digits.shift() ?? '').replaceAll('_', '%20');
  return spaced + digits.join('');
}
