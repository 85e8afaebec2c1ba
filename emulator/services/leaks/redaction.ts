import { NamedValues } from '../../../src/contract/named-values.js';
import { encodeForm, encodeUrl } from '../../../src/contract/text-forms.js';
import type { CollectionName, Records, TokenRecord } from '../../store/records.js';
import { decodeUrl, joinGroups, patternsOf } from './forms.js';
import { isWhole } from './leak-search.js';
import { PatternIndex } from './pattern-index.js';
import { LONG_CHARACTERS, type SecretValue, SecretValues } from './secret-values.js';

/** A part of a text that holds a value. */
interface Span {
  start: number;
  end: number;
}

/** Digits with single separators: a card number in groups. */
const DIGIT_RUN = /\d(?:(?:[ .-]|%20|\+)?\d)+/g;
/** What may be percent-encoded. */
const URL_RUN = /[^\s"'<>&=;,{}()[\]\\]+/g;
const BASE64_RUN = /[\w+/-]{10,}={0,2}/g;
/** A security code or PIN that is a string of its own, as in the parameters of a step that fills it in. */
const SHORT_STRING = /(?<=["'])\d{3,5}(?=\\{0,8}["'])/g;
const ESCAPE_LEVELS = 3;

/** Masks the values of tokens in texts that are kept outside of the service, such as the traces of tests. */
export class Redaction {
  readonly #index = new PatternIndex<{ wholeWord: boolean }>();
  readonly #fields = new NamedValues<true>();
  readonly #secrets = new SecretValues(this);

  /** Adds the values of a token to those that are masked. Values of tokens that are deleted stay. */
  addRecord<Name extends CollectionName>(collection: Name, record: Records[Name]): void {
    if (collection === 'tokens') this.#secrets.add(record as TokenRecord);
  }

  add({ name, value }: SecretValue): void {
    if (value.length < LONG_CHARACTERS) {
      if (name !== undefined) this.#fields.add(name, value, true);
    } else for (const { text, wholeWord } of redactedForms(value)) this.#index.add(text, { wholeWord });
  }

  remove({ name, value }: SecretValue): void {
    if (value.length < LONG_CHARACTERS) {
      if (name !== undefined) this.#fields.remove(name, value);
    } else for (const { text } of redactedForms(value)) this.#index.remove(text);
  }

  /** Replaces every value in a text by a mask of its length. What was JSON remains JSON. */
  redact(text: string): string {
    const spans = this.#find(text).toSorted((a, b) => a.start - b.start);
    const parts: string[] = [];
    let done = 0;
    for (const span of spans) {
      const start = Math.max(done, isEscaped(text, span.start) ? span.start + 1 : span.start);
      if (span.end <= start) continue;
      parts.push(text.slice(done, start), maskOf(text, start, span.end));
      done = span.end;
    }
    return parts.join('') + text.slice(done);
  }

  #find(text: string): Span[] {
    return [
      ...this.#findPlain(text),
      ...this.#findRuns(text, DIGIT_RUN, joinGroups),
      ...this.#findRuns(text, URL_RUN, decodeUrl),
      ...this.#findRuns(text, BASE64_RUN, (run) => Buffer.from(run, 'base64').toString('utf8')),
      ...[...text.matchAll(SHORT_STRING)]
        .filter(([value]) => this.#fields.has(value))
        .map(({ 0: value, index }) => ({ start: index, end: index + value.length })),
    ];
  }

  #findPlain(text: string): Span[] {
    const found = this.#index.search(text);
    const whole = found.filter(({ start, end, item }) => !item.wholeWord || isWhole(text, start, end));
    return [...whole, ...this.#fields.find(text)];
  }

  /** Lists the runs of a text that hold a value when they are decoded. */
  #findRuns(text: string, pattern: RegExp, decode: (run: string) => string): Span[] {
    return [...text.matchAll(pattern)].flatMap(({ 0: run, index }) => {
      const decoded = decode(run);
      const holds = decoded !== run && this.#findPlain(decoded).length > 0;
      return holds ? [{ start: index, end: index + run.length }] : [];
    });
  }
}

/** Lists the ways to write a value that can be masked where they stand, to its end. */
function redactedForms(value: string): { text: string; wholeWord: boolean }[] {
  const forms = patternsOf(value, value.length);
  const wholeWord = forms.some((form) => form.wholeWord);
  const escaped = [value, asciiOf(value)].flatMap((text) => {
    const levels = [text];
    for (let level = 0; level < ESCAPE_LEVELS; level++)
      levels.push(JSON.stringify(levels.at(-1)).slice(1, -1));
    return levels;
  });
  return [
    ...forms,
    ...[...escaped, encodeUrl(value), encodeForm(value)].map((text) => ({ text, wholeWord })),
  ];
}

/** Escapes what is not ASCII, as some JSON writers do. */
const asciiOf = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Whether a character belongs to the backslash before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** A number of JSON stays a number; in all else, white space, dots and hyphens stay. */
function maskOf(text: string, start: number, end: number): string {
  const value = text.slice(start, end);
  const isNumber =
    /^\d+$/.test(value) &&
    /[:,[]\s*$/.test(text.slice(Math.max(0, start - 8), start)) &&
    /^\s*(?:[,}\]]|$)/.test(text.slice(end, end + 8));
  return isNumber ? '9'.repeat(value.length) : value.replaceAll(/[^\s.-]/g, 'X');
}
