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
 * Evaluates a text. A text that is a single expression keeps the type of its value; any other result is a string.
 * @param now the emulator's time, in milliseconds since 1970; the value of `now` in date filters
 * @returns undefined when the text is a single expression whose value is missing
 * @throws ExpressionFailure
 */
export function evaluateText(text: string, scope: Scope, now: number): Json | undefined {
  return evaluateWithin(new EvaluationBudget(now), text, scope);
}

/** Evaluates a text within the budget of the structure that contains it. */
export function evaluateWithin(budget: EvaluationBudget, text: string, scope: Scope): Json | undefined {
  // Parsing takes time, too.
  budget.remainingMs();
  const { parts } = assertKnownVariables(parseTemplate(text), scope);
  const [first] = parts;
  const result =
    parts.length === 1 && first !== undefined && typeof first !== 'string'
      ? evaluateValue(first, scope, budget)
      : parts.map((part) => partText(part, scope, budget)).join('');
  budget.spend(result);
  return result;
}

function partText(part: string | Expression, scope: Scope, budget: EvaluationBudget): string {
  return typeof part === 'string' ? part : renderText(evaluateValue(part, scope, budget));
}

/** Rejects a misspelled variable; without a value it would mask, index or fingerprint nothing. */
function assertKnownVariables(template: Template, scope: Scope): Template {
  const unknown = template.variables.find((name) => !Object.hasOwn(scope, name));
  if (unknown === undefined) return template;
  throw new ExpressionFailure(
    `unknown variable "${unknown}"; the variables are ${Object.keys(scope).join(' and ')}`,
  );
}

/** Evaluates a parsed expression to a JSON value. @throws ExpressionFailure */
export function evaluateValue(
  expression: Expression,
  scope: Scope,
  budget: EvaluationBudget,
): Json | undefined {
  const { value, fastPath: direct } = expression;
  try {
    const result = direct ? direct(scope, budget) : interpret(expression, scope, budget);
    return value.filters.length === 0 ? assertFinite(result) : toJson(result);
  } catch (error) {
    throw toFailure(error);
  }
}

function interpret({ value }: Expression, scope: Scope, budget: EvaluationBudget): unknown {
  const options = { sync: true, renderLimit: budget.remainingMs(), globals: { [NOW]: budget.now } };
  const context = new Context(scope as object, engine.options, options, { liquid: engine });
  return toValue(toValueSync(value.value(context)));
}

/** Renders a value inside a text: objects and arrays as JSON, a missing value as an empty string. */
export function renderText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    throw new ExpressionFailure('the value is nested too deeply');
  }
}

function assertFinite(value: unknown): Json | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ExpressionFailure('the result is not a finite number');
  }
  return value as Json | undefined;
}

/** Normalizes the result of a filter, which may be an array with holes or a buffer. */
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
