import { LiquidError, Output, Tokenizer, TypeGuards, Value } from 'liquidjs';
import { LruCache } from '../lib/lru.js';
import { engine } from './engine.js';
import { ExpressionFailure } from './errors.js';
import { compileFastPath, type FastPath } from './fast-path.js';
import { findVariables } from './find-variables.js';
import { CACHED_TEMPLATES, MAX_CACHED_LENGTH, MAX_EXPRESSION_LENGTH } from './limits.js';

/** What stands between `{{` and `}}`. */
export interface Expression {
  readonly value: Value;
  /** Present where the interpreter is not needed. */
  readonly fastPath: FastPath | undefined;
}

/** A text cut into plain pieces and expressions. */
export interface Template {
  readonly parts: readonly (string | Expression)[];
  /** Names of the variables that its expressions read. */
  readonly variables: readonly string[];
}

type Token = ReturnType<Tokenizer['readTopLevelTokens']>[number];

const templates = new LruCache<Template>(CACHED_TEMPLATES);
const expressions = new LruCache<Expression>(CACHED_TEMPLATES);

/**
 * Parses a text that may hold `{{ … }}`; parsed templates are kept.
 * @throws ExpressionFailure on bad syntax, an unknown filter, a tag, junk after the expression, or too much text
 */
export function parseTemplate(text: string): Template {
  if (!text.includes('{{') && !text.includes('{%'))
    return { parts: text === '' ? [] : [text], variables: [] };
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionFailure(`a text with expressions has at most ${MAX_EXPRESSION_LENGTH} characters`);
  }
  if (text.length > MAX_CACHED_LENGTH) return parse(text);
  return templates.getOrCreate(text, () => parse(text));
}

/** Parses what stands between `{{` and `}}`. */
export function parseExpression(input: string): Expression {
  const read = () =>
    rewordErrors(() => toExpression(readValue(new Tokenizer(input, engine.options.operators))));
  return input.length > MAX_CACHED_LENGTH ? read() : expressions.getOrCreate(input, read);
}

function parse(text: string): Template {
  return rewordErrors(() => {
    const tokens = new Tokenizer(text, engine.options.operators).readTopLevelTokens(engine.options);
    const parts = tokens.map(readPart);
    return {
      parts: parts
        .map((part) => (typeof part === 'string' ? part : toExpression(part.value)))
        .filter((part) => part !== ''),
      variables: [
        ...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : findVariables(part.value)))),
      ],
    };
  });
}

function toExpression(value: Value): Expression {
  return { value, fastPath: compileFastPath(value) };
}

function readPart(token: Token): string | Output {
  if (TypeGuards.isTagToken(token)) {
    throw new ExpressionFailure('tags ({% … %}) are not accepted, only expressions ({{ … }})');
  }
  if (!TypeGuards.isOutputToken(token)) return token.getContent();
  const [begin, end] = token.contentRange;
  readValue(new Tokenizer(token.input, engine.options.operators, undefined, [begin, end]));
  return new Output(token, engine);
}

function readValue(tokenizer: Tokenizer): Value {
  assertComplete(tokenizer.input.slice(tokenizer.p, tokenizer.N));
  const token = tokenizer.readFilteredValue();
  tokenizer.skipBlank();
  // Liquid stops reading where it no longer understands, and takes what it has: `{{ data ) junk }}`, `{{ data junk }}`.
  if (!tokenizer.end()) throw new ExpressionFailure('the expression has text after its end');
  assertOneOperand(token.initial.postfix);
  return new Value(token, engine);
}

/** Liquid passes over a dot without a property and a pipe without a filter: `{{ data. }}` would show all of data. */
function assertComplete(expression: string): void {
  const outsideQuotes = expression.replace(/'[^']*'|"[^"]*"/g, "''");
  if (/\.(?=[\s|,:()\]=<>!]|$)/.test(outsideQuotes))
    throw new ExpressionFailure('a "." of the expression lacks a property');
  if (/\|\s*(?:\||$)/.test(outsideQuotes))
    throw new ExpressionFailure('a "|" of the expression lacks a filter');
}

const UNARY_OPERATOR = 'not';

function assertOneOperand(postfix: readonly unknown[]): void {
  let operands = 0;
  for (const token of postfix as Token[]) {
    const taken = TypeGuards.isOperatorToken(token) ? (token.operator === UNARY_OPERATOR ? 1 : 2) : 0;
    if (operands < taken) throw new ExpressionFailure('an operator of the expression lacks a value');
    operands += 1 - taken;
  }
  if (operands === 0) throw new ExpressionFailure('the expression is empty');
  if (operands > 1) throw new ExpressionFailure('the expression has more than one value');
}

/** Liquid's messages end in a position that repeats the text. */
function rewordErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionFailure) throw error;
    if (!(error instanceof Error)) throw error;
    const message = LiquidError.is(error)
      ? error.message.replace(/, line:\d+, col:(\d+)$/, ' (column $1)')
      : error.message;
    throw new ExpressionFailure(`not a valid expression: ${message}`);
  }
}
