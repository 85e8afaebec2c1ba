import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../src/contract/json.js';
import { renderText, splitExpressions } from '../../expressions/index.js';
import { validationProblem } from '../../problems/problem.js';

/** How expressions are found in a text and their values written into it. */
export interface TextFormat {
  /** Splits the text into what detokenization replaces. @throws ExpressionFailure if an expression has no end */
  parse(text: string): Json;
  /** Builds the text from the replaced values. */
  build(value: Json): string;
}

const json: TextFormat = {
  parse(text) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // The message of JSON.parse would quote the text.
      throw validationProblem({ body: ['must be valid JSON, as its Content-Type says'] });
    }
  },
  build: (value) => JSON.stringify(value),
};

/** Literal text and expressions alternate. */
const splitText = (quote: (value: string) => string): TextFormat => ({
  parse: splitExpressions,
  build: (value) =>
    (value as Json[])
      .map((part, index) => (index % 2 === 1 ? quote(renderText(part)) : String(part)))
      .join(''),
});

const text = splitText((value) => value);

const XML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const xml = splitText((value) =>
  value.replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? character),
);

/** Percent-encoded texts between separators. Those without an expression stay as they are. */
const encoded = (separator: RegExp, space: string): TextFormat => ({
  parse: (value) =>
    value.split(separator).map((part) => {
      const decoded = decode(part.replaceAll(space, '%20'));
      return decoded.includes('{{') ? splitExpressions(decoded) : part;
    }),
  build: (value) =>
    (value as Json[])
      .map((part) => (Array.isArray(part) ? encodeURIComponent(part.map(renderText).join('')) : String(part)))
      .join(''),
});

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The segments of a path. */
export const pathFormat = encoded(/(\/)/, '%20');
/** The names and values of a query or a form. */
export const queryFormat = encoded(/([&=])/, '+');
export const headerFormat = text;

/** Returns the format of a body; undefined for one that is forwarded as it is, without expressions. */
export function bodyFormat(body: Buffer, contentType: string): TextFormat | undefined {
  if (!body.includes('{{') && !body.includes('%7B%7B') && !body.includes('%7b%7b')) return undefined;
  if (!isUtf8(body)) return undefined;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(.*\+)?json$/.test(type)) return json;
  if (type === 'application/x-www-form-urlencoded') return queryFormat;
  if (/[/+]xml$/.test(type)) return xml;
  return type === '' || type.startsWith('text/') ? text : undefined;
}
