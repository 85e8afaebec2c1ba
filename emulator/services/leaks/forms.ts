import { base64Forms } from '../../../src/contract/text-forms.js';

/** How a value was written where it was found. */
export type LeakForm =
  | 'plain text'
  | 'grouped digits'
  | 'URL-encoded'
  | 'JSON-escaped'
  | 'base64'
  | 'hex'
  | 'a named field';

/** Characters of a value that are looked for; a longer one is found by its beginning. */
const SEARCHED_CHARACTERS = 256;

export interface Pattern {
  text: string;
  form: LeakForm;
  /** Counts only if no letter or digit precedes or follows: short values occur inside other text by chance. */
  wholeWord: boolean;
}

const WHOLE_WORD_BELOW = 12;

/** Lists the texts that reveal a value of at least six characters. `readingsOf` decodes the text around it. */
export function patternsOf(value: string, characters = SEARCHED_CHARACTERS): Pattern[] {
  const searched = value.slice(0, characters);
  const inOneLine = withoutLineFeeds(searched);
  const wholeWord = searched.length < WHOLE_WORD_BELOW;
  const bytes = Buffer.from(searched);
  const hex = bytes.toString('hex');
  const form = (text: string, name: LeakForm, whole = false): Pattern => ({
    text,
    form: name,
    wholeWord: whole,
  });
  return [
    form(searched, 'plain text', wholeWord),
    ...(inOneLine === searched ? [] : [form(inOneLine, 'plain text', wholeWord)]),
    ...groupedDigits(searched).map((text) => form(text, 'grouped digits', wholeWord)),
    ...[hex, hex.toUpperCase()].map((text) => form(text, 'hex')),
    ...base64Forms(bytes).map((text) => form(text, 'base64')),
  ];
}

/** Social security and employer numbers in their usual groups, and numbers that are stored in groups without them. */
function groupedDigits(value: string): string[] {
  if (!/^\d(?:[ -]?\d)+$/.test(value)) return [];
  const digits = value.replaceAll(/[ -]/g, '');
  const groups = digits.length === 9 ? [/^(...)(..)(....)$/, /^(..)(.......)$/] : [];
  const variants = groups.flatMap((pattern) =>
    ['-', ' '].map((separator) => (pattern.exec(digits)?.slice(1) ?? []).join(separator)),
  );
  return [digits, ...variants].filter((text) => text !== value && text.length >= 6);
}

export interface Reading {
  text: string;
  /** The encoding of the text; absent for the text itself. */
  form?: LeakForm;
}

/** Lists the readings of a text: the text itself, and its decoded forms that differ from it. All have the same line feeds. */
export function readingsOf(text: string): Reading[] {
  const url = decodeUrl(text);
  const json = decodeJson(text);
  const nested = decodeJson(json);
  const base64 = decodeBase64(text);
  const joined = joinDigits(url);
  const readings: Reading[] = [{ text }];
  if (url !== text) readings.push({ text: url, form: 'URL-encoded' });
  if (json !== text) readings.push({ text: json, form: 'JSON-escaped' });
  if (nested !== json) readings.push({ text: nested, form: 'JSON-escaped' });
  if (base64 !== text) readings.push({ text: base64, form: 'base64' });
  if (joined !== url) readings.push({ text: joined, form: 'grouped digits' });
  return readings;
}

const withoutLineFeeds = (text: string): string => text.replaceAll(/[\r\n]/g, ' ');

export function decodeUrl(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
      withoutLineFeeds(Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')),
    );
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: ' ', r: ' ', t: '\t' };

function decodeJson(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/gi,
    (_, code: string | undefined, character = '') =>
      code === undefined
        ? (ESCAPED[character] ?? character)
        : withoutLineFeeds(String.fromCharCode(Number.parseInt(code, 16))),
  );
}

/** What may be base64 of a text with a short value and its name. */
const BASE64 = /[A-Za-z0-9+/_-]{10,}={0,2}/g;

function decodeBase64(text: string): string {
  return text.replaceAll(BASE64, (encoded) => {
    const bytes = Buffer.from(encoded, 'base64');
    return bytes.every((byte) => byte >= 32 || byte === 10 || byte === 13 || byte === 9)
      ? withoutLineFeeds(bytes.toString('utf8'))
      : encoded;
  });
}

/** Removes single separators inside of long numbers: `4242 4242 4242 4242`. */
const joinDigits = (text: string): string => text.replaceAll(/\d(?:[ .-]?\d)+/g, joinGroups);

/** Digits from which on groups of any size are joined: card numbers, not dates and times. */
const JOINED_DIGITS = 12;

/** Returns the digits of a run of groups if they are many, else the run as it is. */
export function joinGroups(run: string): string {
  const digits = run.replaceAll(/%20|\D/g, '');
  return digits.length < JOINED_DIGITS ? run : digits;
}
