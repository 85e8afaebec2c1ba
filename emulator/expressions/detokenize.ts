import { LIMITS } from '../../src/contract/index.js';
import { EvaluationBudget } from './budget.js';
import { ExpressionError, ExpressionFailure } from './errors.js';
import { evaluateValue, renderText } from './evaluate.js';
import type { Json } from './json.js';
import { MAX_EXPRESSION_LENGTH } from './limits.js';
import { mapStrings } from './structure.js';
import { type Expression, parseExpression } from './template.js';

/** A token as expressions see it: `{{ <id> }}` gives its data, `{{ token: <id> }}` the whole object. */
export interface DetokenizedToken {
  readonly data: Json;
  readonly [property: string]: Json | undefined;
}

/** Arguments whose expressions are parsed and whose tokens are known, but not yet read. */
export interface Detokenization {
  /** Distinct token ids, at most 100, each with the path of its first use, in the order of it. */
  readonly references: ReadonlyMap<string, string>;
  /**
   * The arguments with every expression replaced.
   * @param tokens every one of `references`
   * @throws ExpressionError with the path of each expression that cannot be evaluated
   */
  replace(tokens: ReadonlyMap<string, DetokenizedToken>): Json | undefined;
}

interface Reference {
  readonly tokenId: string;
  /** `{{ token: <id> }}`: the whole token instead of its data. */
  readonly whole: boolean;
  /** The filters after the id; null when there are none. */
  readonly filters: Expression | null;
}

type Part = string | Reference;

/**
 * Finds and checks the detokenization expressions of any JSON (service-api.md, POST /reactors/{id}/react).
 * @param path where the value stands in the request, for the paths of errors: `args`
 * @param now the time that dates see, in milliseconds since 1970
 * @throws ExpressionError on bad syntax or more than 100 distinct tokens
 */
export function parseDetokenization(value: Json, path: string, now: number): Detokenization {
  const references = new Map<string, string>();
  const evaluation = new EvaluationBudget(now);
  mapStrings(value, path, (text, at) => {
    evaluation.remainingMs();
    for (const part of parseText(text)) {
      if (typeof part !== 'string' && !references.has(part.tokenId)) references.set(part.tokenId, at);
    }
    return null;
  });
  if (references.size > LIMITS.detokenizedTokens) {
    throw new ExpressionError({
      [path || 'body']: [
        `may refer to at most ${LIMITS.detokenizedTokens} tokens, it refers to ${references.size}`,
      ],
    });
  }
  return { references, replace: (tokens) => replaceAll(value, path, tokens, now) };
}

function replaceAll(
  value: Json,
  path: string,
  tokens: ReadonlyMap<string, DetokenizedToken>,
  now: number,
): Json | undefined {
  const evaluation = new EvaluationBudget(now);
  return mapStrings(value, path, (text) => {
    const parts = parseText(text);
    const [first] = parts;
    const result =
      parts.length === 1 && first !== undefined && typeof first !== 'string'
        ? (resolve(first, tokens, evaluation) ?? null)
        : parts.map((part) => partText(part, tokens, evaluation)).join('');
    evaluation.spend(result);
    return result;
  });
}

function partText(
  part: Part,
  tokens: ReadonlyMap<string, DetokenizedToken>,
  evaluation: EvaluationBudget,
): string {
  return typeof part === 'string' ? part : renderText(resolve(part, tokens, evaluation));
}

function resolve(
  reference: Reference,
  tokens: ReadonlyMap<string, DetokenizedToken>,
  evaluation: EvaluationBudget,
): Json | undefined {
  const token = tokens.get(reference.tokenId);
  if (token === undefined) throw new ExpressionFailure('the token does not exist');
  const value = (reference.whole ? token : token.data) as Json;
  return reference.filters === null ? value : evaluateValue(reference.filters, { value }, evaluation);
}

/**
 * Token ids may hold spaces, dots and quotes, so Liquid cannot read them; what they never hold is `|`, `{` or `}`.
 * Everything up to the first of these is the id, what follows a `|` are Liquid filters.
 */
function parseText(text: string): readonly Part[] {
  const parts: Part[] = [];
  let position = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', position)) {
    pushLiteral(parts, text.slice(position, open));
    const close = findEnd(text, open + 2);
    parts.push(parseReference(text.slice(open + 2, close)));
    position = close + 2;
  }
  pushLiteral(parts, text.slice(position));
  return parts;
}

function pushLiteral(parts: Part[], plain: string): void {
  if (plain.includes('{%')) {
    throw new ExpressionFailure('tags ({% … %}) are not accepted, only expressions ({{ … }})');
  }
  if (plain !== '') parts.push(plain);
}

/** Place of the closing braces; within the filters a quoted text may hold braces too. */
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

function parseReference(content: string): Reference {
  const pipe = content.indexOf('|');
  const head = (pipe < 0 ? content : content.slice(0, pipe)).trim();
  const tokenId = head.replace(WHOLE_TOKEN, '');
  if (tokenId === '') throw new ExpressionFailure('an expression lacks the id of a token');
  return {
    tokenId,
    whole: WHOLE_TOKEN.test(head),
    filters: pipe < 0 ? null : parseExpression(`value ${content.slice(pipe)}`),
  };
}
