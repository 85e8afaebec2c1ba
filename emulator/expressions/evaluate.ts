import { Context, toValue, toValueSync } from 'liquidjs';
import { EvaluationBudget } from './budget.js';
import { engine, NOW } from './engine.js';
import { ExpressionFailure } from './errors.js';
import { assertResultLength, isLimitError } from './filter-failures.js';
import type { Json } from './json.js';
import { type Expression, parseTemplate, type Template } from './template.js';

/** The variables that an expression may use. */
export type Scope = Readonly<Record<string, unknown>>;

/**
 * Evaluates a text. One expression alone keeps its type; with text around it the result is a string.
 * @param now the time that its dates see, in milliseconds since 1970
 * @returns undefined when the text is one expression and its value is missing
 * @throws ExpressionFailure
 */
export function evaluateText(text: string, scope: Scope, now: number): Json | undefined {
  return evaluateWithin(new EvaluationBudget(now), text, scope);
}

/** Evaluates a text as part of a structure. */
export function evaluateWithin(evaluation: EvaluationBudget, text: string, scope: Scope): Json | undefined {
  // Parsing takes time too.
  evaluation.remainingMs();
  const { parts } = assertKnownVariables(parseTemplate(text), scope);
  const [first] = parts;
  const result =
    parts.length === 1 && first !== undefined && typeof first !== 'string'
      ? evaluateValue(first, scope, evaluation)
      : parts.map((part) => partText(part, scope, evaluation)).join('');
  evaluation.spend(result);
  return result;
}

function partText(part: string | Expression, scope: Scope, evaluation: EvaluationBudget): string {
  return typeof part === 'string' ? part : renderText(evaluateValue(part, scope, evaluation));
}

/** A misspelt variable would mask, index or fingerprint nothing at all, in silence. */
function assertKnownVariables(template: Template, scope: Scope): Template {
  const unknown = template.variables.find((name) => !Object.hasOwn(scope, name));
  if (unknown === undefined) return template;
  throw new ExpressionFailure(`unknown variable "${unknown}"; there is ${Object.keys(scope).join(' and ')}`);
}

/** Evaluates one parsed expression to JSON. */
export function evaluateValue(
  expression: Expression,
  scope: Scope,
  evaluation: EvaluationBudget,
): Json | undefined {
  const { value, fastPath: direct } = expression;
  try {
    const result = direct ? direct(scope, evaluation) : interpret(expression, scope, evaluation);
    return value.filters.length === 0 ? assertFinite(result) : toJson(result);
  } catch (error) {
    throw toFailure(error);
  }
}

function interpret({ value }: Expression, scope: Scope, evaluation: EvaluationBudget): unknown {
  const options = { sync: true, renderLimit: evaluation.remainingMs(), globals: { [NOW]: evaluation.now } };
  const context = new Context(scope as object, engine.options, options, { liquid: engine });
  return toValue(toValueSync(value.value(context)));
}

/** How a value looks with text around it: objects as JSON, a missing one as nothing. */
export function renderText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    throw new ExpressionFailure('the value is nested too deep to be written as text');
  }
}

function assertFinite(value: unknown): Json | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ExpressionFailure('the result is not a finite number');
  }
  return value as Json | undefined;
}

/** A filter may build an array with holes or hand out bytes: the JSON of it counts. */
function toJson(value: unknown): Json | undefined {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value !== 'object' || value === null) return assertFinite(value);
  const json = JSON.stringify(value);
  assertResultLength(json);
  return JSON.parse(json) as Json;
}

function toFailure(error: unknown): unknown {
  const cause = rootCause(error);
  if (cause instanceof ExpressionFailure) return cause;
  if (isLimitError(cause)) return new ExpressionFailure('the expression takes too much time or memory');
  return new ExpressionFailure('the expression cannot be evaluated with this data');
}

function rootCause(error: unknown): unknown {
  return error instanceof Error && 'originalError' in error ? error.originalError : error;
}
