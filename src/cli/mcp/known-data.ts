import { isObject } from '../../contract/json.js';
import { PLACEHOLDER } from '../lib/placeholder.js';
import { isMasked } from './redact-answer.js';

/** Shorter values occur in any text: `2031`, `true`. */
const MINIMUM = 6;

function* primitivesOf(document: unknown): Iterable<string> {
  if (typeof document !== 'object' || document === null) yield String(document);
  else for (const part of Object.values(document)) yield* primitivesOf(part);
}

/** Yields the values in the `data` of every token and every create request in a document. */
function* dataOf(document: unknown): Iterable<string> {
  if (typeof document !== 'object' || document === null) return;
  for (const [name, part] of Object.entries(document)) {
    // The `data` of a page is the list of its items.
    if (name === 'data' && !('pagination' in document)) yield* primitivesOf(part);
    else yield* dataOf(part);
  }
}

function replaceIn(document: unknown, values: readonly string[]): unknown {
  if (typeof document === 'string')
    return values.reduce((text, value) => text.replaceAll(value, PLACEHOLDER), document);
  if (Array.isArray(document)) return document.map((item) => replaceIn(item, values));
  if (isObject(document))
    return Object.fromEntries(
      Object.entries(document).map(([name, part]) => [name, replaceIn(part, values)]),
    );
  return values.includes(String(document)) ? PLACEHOLDER : document;
}

/**
 * Replaces token data wherever it appears in an answer, such as in metadata or an id, if the data is in the call or its response.
 * @param known the arguments of the call; the response as the service sent it only if the agent cannot write, because it could
 *   write guesses into metadata and see which of them are replaced
 */
export function removeKnownData<Answer>(answer: Answer, known: readonly unknown[]): Answer {
  const values = new Set([...dataOf(known)].filter((value) => value.length >= MINIMUM && !isMasked(value)));
  // The longest first: a value may contain another one.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  // The type stays, except that of numbers, which become the placeholder.
  return ordered.length === 0 ? answer : (replaceIn(answer, ordered) as Answer);
}
