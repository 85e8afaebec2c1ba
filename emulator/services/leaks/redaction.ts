import { encodeForm, encodeUrl } from '../../../src/contract/text-forms.js';
import { isEscaped } from '../../lib/json-bounds.js';
import type { CollectionName, Records, TokenRecord } from '../../store/records.js';
import { decodeUrl, joinGroups, type Pattern, patternsOf } from './forms.js';
import { type SecretMatch, SecretValues } from './secret-values.js';

type Span = Pick<SecretMatch, 'start' | 'end'>;

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
  readonly #secrets = new SecretValues(redactedForms);

  /** Adds the values of a token to those that are masked. Values of tokens that are deleted stay. */
  addRecord<Name extends CollectionName>(collection: Name, record: Records[Name]): void {
    if (collection === 'tokens' || collection === 'token-intents') this.#secrets.add(record as TokenRecord);
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
      ...this.#secrets.find(text),
      ...this.#findRuns(text, DIGIT_RUN, joinGroups),
      ...this.#findRuns(text, URL_RUN, decodeUrl),
      ...this.#findRuns(text, BASE64_RUN, (run) => Buffer.from(run, 'base64').toString('utf8')),
      ...[...text.matchAll(SHORT_STRING)]
        .filter(([value]) => this.#secrets.hasNamed(value))
        .map(({ 0: value, index }) => ({ start: index, end: index + value.length })),
    ];
  }

  /** Lists the runs of a text that hold a value when they are decoded. */
  #findRuns(text: string, pattern: RegExp, decode: (run: string) => string): Span[] {
    return [...text.matchAll(pattern)].flatMap(({ 0: run, index }) => {
      const decoded = decode(run);
      const holds = decoded !== run && this.#secrets.find(decoded).length > 0;
      return holds ? [{ start: index, end: index + run.length }] : [];
    });
  }
}

/** Lists the ways to write a value that can be masked where they stand, to its end. */
function redactedForms(value: string): Pattern[] {
  const forms = patternsOf(value, value.length);
  const wholeWord = forms.some((form) => form.wholeWord);
  const texts = [encodeUrl(value), encodeForm(value)];
  for (let text of [value, asciiOf(value)])
    for (let level = 0; level <= ESCAPE_LEVELS; level++) {
      texts.push(text);
      text = JSON.stringify(text).slice(1, -1);
    }
  return [...forms, ...texts.map((text) => ({ text, form: 'JSON-escaped' as const, wholeWord }))];
}

/** Escapes what is not ASCII, as some JSON writers do. */
const asciiOf = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A number of JSON stays a number; in all else, white space, dots and hyphens stay. */
function maskOf(text: string, start: number, end: number): string {
  const value = text.slice(start, end);
  const isNumber =
    /^\d+$/.test(value) &&
    /[:,[]\s*$/.test(text.slice(Math.max(0, start - 8), start)) &&
    /^\s*(?:[,}\]]|$)/.test(text.slice(end, end + 8));
  return isNumber ? '9'.repeat(value.length) : value.replaceAll(/[^\s.-]/g, 'X');
}
