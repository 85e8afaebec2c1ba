import { LiquidError, Output, Tokenizer, TypeGuards, Value } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { didYouMean } from '../../src/contract/nearest.js';
import { engine } from './engine.js';
import { ExpressionFailure } from './errors.js';
import { compileFastPath, type FastPath } from './fast-path.js';
import { CACHED_CHARACTERS, MAX_CACHED_LENGTH, MAX_EXPRESSION_LENGTH } from './limits.js';
import { countSteps } from './linearity.js';

/** A parsed expression, the part between `{{` and `}}`. */
export interface Expression {
  readonly value: Value;
  /** Absent where Liquid must evaluate the expression. */
  readonly fastPath: FastPath | undefined;
  /** Operands, operators and filters; undefined when the time or the output is not linear in the input. */
  readonly steps: number | undefined;
}

/** A text, parsed into literal text and expressions. */
export interface Template {
  readonly parts: readonly (string | Expression)[];
  readonly variables: readonly string[];
  /** The sum over the expressions; undefined when one of them is not linear. */
  readonly steps: number | undefined;
}

type Token = ReturnType<Tokenizer['readTopLevelTokens']>[number];

const createCache = <Parsed extends object>() =>
  new LRUCache<string, Parsed>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_parsed, text) => Math.max(text.length, 1),
  });

const templates = createCache<Template>();
const expressions = createCache<Expression>();

/** Parses a text that may contain `{{ … }}`. Parsed templates are cached. @throws ExpressionFailure */
export function parseTemplate(text: string): Template {
  if (!text.includes('{{') && !text.includes('{%'))
    return { parts: text === '' ? [] : [text], variables: [], steps: 0 };
  if (text.length > MAX_EXPRESSION_LENGTH)
    throw new ExpressionFailure(
      `a text with expressions may have at most ${MAX_EXPRESSION_LENGTH} characters`,
    );
  return parseCached(templates, text, parse);
}

/** Parses the part between `{{` and `}}`. Parsed expressions are cached. @throws ExpressionFailure */
export function parseExpression(input: string): Expression {
  return parseCached(expressions, input, () =>
    rewordErrors(() => toExpression(readValue(new Tokenizer(input, engine.options.operators)), input)),
  );
}

function parseCached<T extends object>(
  cache: LRUCache<string, T>,
  text: string,
  parseText: (text: string) => T,
): T {
  if (text.length > MAX_CACHED_LENGTH) return parseText(text);
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const parsed = parseText(text);
  cache.set(text, parsed);
  return parsed;
}

function parse(text: string): Template {
  return rewordErrors(() => {
    const tokens = new Tokenizer(text, engine.options.operators).readTopLevelTokens(engine.options);
    const parts = tokens
      .map(readPart)
      .map((part) => (typeof part === 'string' ? part : toExpression(part.value, text)))
      .filter((part) => part !== '');
    const parsed = parts.filter((part) => typeof part !== 'string');
    return {
      parts,
      variables: [...new Set(parsed.flatMap(({ value }) => findVariables(value)))],
      steps: parsed.reduce<number | undefined>(
        (sum, { steps }) => (sum === undefined || steps === undefined ? undefined : sum + steps),
        0,
      ),
    };
  });
}

/** @param text the text that contains the expression */
function toExpression(value: Value, text: string): Expression {
  const fastPath = compileFastPath(value);
  return { value, fastPath, steps: countSteps(value, fastPath !== undefined, text) };
}

function readPart(token: Token): string | Output {
  if (TypeGuards.isTagToken(token))
    throw new ExpressionFailure('tags ({% … %}) are not supported, only expressions ({{ … }})');
  if (!TypeGuards.isOutputToken(token)) return token.getContent();
  token.input = acceptIdentifier(acceptComma(token.input, token.contentRange), token.contentRange);
  const [begin, end] = token.contentRange;
  readValue(new Tokenizer(token.input, engine.options.operators, undefined, [begin, end]));
  return new Output(token, engine);
}

/** Reads `{{ data, last4 }}` as `{{ data | last4 }}`, a form of the API family. Positions in errors stay the same. */
function acceptComma(input: string, [begin, end]: readonly [number, number]): string {
  const beforeComma = /^\s*[\w.]+\s*(?=,\s*[a-z])/i.exec(input.slice(begin, end));
  if (!beforeComma) return input;
  const comma = begin + beforeComma[0].length;
  return `${input.slice(0, comma)}|${input.slice(comma + 1)}`;
}

/** Reads `{{ transform_identifier: 'card' }}`, a form of the API family, as a property. The text keeps its length. */
function acceptIdentifier(input: string, [begin, end]: readonly [number, number]): string {
  const name = /^(\s*transform_identifier):\s+('[^']*'|"[^"]*")/.exec(input.slice(begin, end));
  if (!name) return input;
  const [before, variable = '', identifier = ''] = name;
  const property = `${variable}[${identifier}]`.padEnd(before.length);
  return input.slice(0, begin) + property + input.slice(begin + before.length);
}

function readValue(tokenizer: Tokenizer): Value {
  assertComplete(tokenizer.input.slice(tokenizer.p, tokenizer.N));
  const token = tokenizer.readFilteredValue();
  tokenizer.skipBlank();
  // Liquid stops at the first token it does not understand and ignores the rest: `{{ data ) junk }}`, `{{ data junk }}`.
  if (!tokenizer.end()) throw new ExpressionFailure('the expression has text after its end');
  assertOneOperand(token.initial.postfix);
  return new Value(token, engine);
}

/** Rejects a dot without a property and a pipe without a filter. Liquid ignores them: `{{ data. }}` would reveal all of data. A range has two dots. */
function assertComplete(expression: string): void {
  const outsideQuotes = expression.replace(/'[^']*'|"[^"]*"/g, "''");
  const outsideRanges = outsideQuotes.replace(/\.\.(?=\s*[\w'-])/g, '');
  if (/\.(?=[\s|,:()\]=<>!]|$)/.test(outsideRanges))
    throw new ExpressionFailure('a "." in the expression must be followed by a property');
  if (/\|\s*(?:\||$)/.test(outsideQuotes))
    throw new ExpressionFailure('a "|" in the expression must be followed by a filter');
}

const UNARY_OPERATOR = 'not';

function assertOneOperand(postfix: readonly unknown[]): void {
  let operands = 0;
  for (const token of postfix as Token[]) {
    const arity = TypeGuards.isOperatorToken(token) ? (token.operator === UNARY_OPERATOR ? 1 : 2) : 0;
    if (operands < arity) throw new ExpressionFailure('an operator in the expression lacks an operand');
    operands += 1 - arity;
  }
  if (operands === 0) throw new ExpressionFailure('the expression is empty');
  if (operands > 1) throw new ExpressionFailure('the expression has more than one value');
}

/** Rewords the errors of Liquid, whose messages may repeat the text. */
function rewordErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionFailure) throw error;
    if (!(error instanceof Error)) throw error;
    const [, filter] = /^undefined filter: (\w+)/.exec(error.message) ?? [];
    if (filter !== undefined)
      throw new ExpressionFailure(
        `not a valid expression: unknown filter ${filter}.${didYouMean(filter, Object.keys(engine.filters))}`,
      );
    const message = LiquidError.is(error)
      ? error.message.replace(/, line:\d+, col:(\d+)$/, ' (column $1)')
      : error.message;
    throw new ExpressionFailure(`not a valid expression: ${message}`);
  }
}

/** The parts of Liquid's tokens that may contain variables: names, property paths and ranges. */
interface AnyToken {
  readonly content?: unknown;
  readonly props?: readonly AnyToken[];
  readonly variable?: AnyToken;
  readonly lhs?: AnyToken;
  readonly rhs?: AnyToken;
}

/** Lists the variables that an expression reads. Liquid's own analysis takes quadratic time. */
function findVariables({ initial, filters }: Value): string[] {
  const operands = initial.postfix as readonly AnyToken[];
  const args = filters.flatMap(({ args }) =>
    args.map((argument) => (Array.isArray(argument) ? argument[1] : argument)),
  );
  return [...operands, ...(args as AnyToken[])].flatMap((token) => [...variablesIn(token)]);
}

function* variablesIn(token: AnyToken | undefined): Generator<string> {
  if (token === undefined) return;
  const { props = [], variable } = token;
  const [first, ...rest] = props;
  if (variable !== undefined) yield* variablesIn(variable);
  else if (typeof first?.content === 'string') yield first.content;
  for (const prop of variable === undefined ? rest : props) yield* variablesIn(prop);
  yield* variablesIn(token.lhs);
  yield* variablesIn(token.rhs);
}
