import type { Json } from '../../src/contract/json.js';
import { LIMITS } from '../../src/contract/limits.js';
import type { EvaluationBudget } from './budget.js';
import { ExpressionError, ExpressionFailure } from './errors.js';
import { evaluateValue, joinParts } from './evaluate.js';
import { MAX_EXPRESSION_LENGTH } from './limits.js';
import { mapStrings } from './structure.js';
import { type Expression, parseExpression } from './template.js';

/** A token as expressions see it: `{{ <id> }}` is its data, `{{ token: <id> }}` the whole object. */
export interface DetokenizedToken {
  readonly data: Json;
  readonly [property: string]: Json | undefined;
}

interface Reference {
  /** The id of a token, `token_intent: <id>`, or `config: <name>`. */
  readonly tokenId: string;
  /** True for `{{ token: <id> }}` and `{{ token_intent: <id> }}`, all of it instead of its data. */
  readonly whole: boolean;
  /** The filters after the id, as an expression over the variable `value`; null when there are none. */
  readonly filters: Expression | null;
}

type Part = string | Reference;

/**
 * Finds the tokens that the expressions of a JSON value refer to (service-api.md, POST /reactors/{id}/react).
 * @param path the path of the value in the request, such as `args`, the prefix of the paths in errors
 * @returns distinct token ids, at most 100, in order of their first use, each with the path of it
 * @throws ExpressionError on invalid syntax or more than 100 distinct tokens
 */
export function findReferences(value: Json, path: string, budget: EvaluationBudget): [string, string][] {
  const references = new Map<string, string>();
  mapStrings(value, path, (text, at) => {
    budget.assertTimeLeft();
    for (const part of parseReferences(text))
      if (typeof part !== 'string' && !references.has(part.tokenId)) references.set(part.tokenId, at);
    return null;
  });
  if (references.size > LIMITS.detokenizedTokens)
    throw new ExpressionError({
      [path || 'body']: [
        `may refer to at most ${LIMITS.detokenizedTokens} tokens; it refers to ${references.size}`,
      ],
    });
  return [...references];
}

/** Replaces every detokenization expression of a JSON value. @throws ExpressionError by path */
export function replaceReferences(
  value: Json,
  path: string,
  tokens: ReadonlyMap<string, DetokenizedToken>,
  budget: EvaluationBudget,
): Json | undefined {
  return mapStrings(value, path, (text) => {
    budget.assertTimeLeft();
    const parts = parseReferences(text);
    const result = joinParts(parts, (part) => resolve(part, tokens, budget), budget);
    return result ?? (parts.length === 1 ? null : result);
  });
}

function resolve(
  reference: Reference,
  tokens: ReadonlyMap<string, DetokenizedToken>,
  budget: EvaluationBudget,
): Json | undefined {
  const token = tokens.get(reference.tokenId);
  if (token === undefined) throw new ExpressionFailure('the token does not exist');
  const value = (reference.whole ? token : token.data) as Json;
  return reference.filters === null ? value : evaluateValue(reference.filters, { value }, budget);
}

/**
 * Parses a text into literal text and references. Token ids may contain spaces, dots and quotes, which Liquid cannot
 * read, but never `|`, `{` or `}`. So the id ends at the first of these, and Liquid parses only the filters after a `|`.
 */
export function parseReferences(text: string): readonly Part[] {
  return splitExpressions(text).flatMap((part, index): Part[] => {
    if (index % 2 === 1) return [parseReference(part.slice(2, -2))];
    if (part.includes('{%'))
      throw new ExpressionFailure('tags ({% … %}) are not supported, only expressions ({{ … }})');
    return part === '' ? [] : [part];
  });
}

/** Splits a text into literal text, at even positions, and expressions with their braces, in linear time. */
export function splitExpressions(text: string): string[] {
  const parts: string[] = [];
  let position = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', position)) {
    const end = findEnd(text, open + 2) + 2;
    parts.push(text.slice(position, open), text.slice(open, end));
    position = end;
  }
  parts.push(text.slice(position));
  return parts;
}

/** Finds the closing braces. A quoted argument of a filter may contain braces, too. */
function findEnd(text: string, start: number): number {
  const expression = /^[^|{}]*(?:\|(?:'[^']*'|"[^"]*"|[^'"{}])*)?\}\}/.exec(
    text.slice(start, start + MAX_EXPRESSION_LENGTH),
  );
  if (expression !== null) return start + expression[0].length - 2;
  throw new ExpressionFailure(
    'an expression must have the form {{ <token id> }} or {{ <token id> | filters }}',
  );
}

const WHOLE_TOKEN = /^token:\s*/;
const TOKEN_INTENT = /^token_intent:\s*/;
const CONFIG = /^config:\s*/;
export const INTENT_PREFIX = 'token_intent: ';
/** Comes before the name of a configuration value of a proxy. */
export const CONFIG_PREFIX = 'config: ';

function parseReference(content: string): Reference {
  const pipe = content.indexOf('|');
  const head = (pipe < 0 ? content : content.slice(0, pipe)).trim();
  const tokenId = head
    .replace(WHOLE_TOKEN, '')
    .replace(TOKEN_INTENT, INTENT_PREFIX)
    .replace(CONFIG, CONFIG_PREFIX);
  if (tokenId === '') throw new ExpressionFailure('an expression must contain the id of a token');
  return {
    tokenId,
    whole: WHOLE_TOKEN.test(head) || TOKEN_INTENT.test(head),
    filters: pipe < 0 ? null : parseExpression(`value ${content.slice(pipe)}`),
  };
}
