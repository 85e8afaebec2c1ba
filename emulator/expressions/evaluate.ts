import { Context, toValue, toValueSync } from 'liquidjs';
import type { Json } from '../../src/contract/json.js';
import { type EvaluationBudget, memoryExceeded } from './budget.js';
import { BUDGET, engine } from './engine.js';
import { ExpressionFailure } from './errors.js';
import { assertTextLength, isLimitError } from './filter-checks.js';
import { type Expression, parseTemplate, type Template } from './template.js';

/** The variables that an expression may use. */
export type Scope = Readonly<Record<string, unknown>>;

/** Evaluates a text. A single expression keeps the type of its value, undefined if that is missing. */
export function evaluateWithin(budget: EvaluationBudget, text: string, scope: Scope): Json | undefined {
  // Parsing takes time, too.
  budget.assertTimeLeft();
  const template = parseTemplate(text);
  assertKnownVariables(template, scope);
  return joinParts(template.parts, (expression) => evaluateValue(expression, scope, budget), budget);
}

/** Evaluates the parts of a text. Each part is charged before the next is evaluated, and before they are joined. */
export function joinParts<Part extends object>(
  parts: readonly (string | Part)[],
  evaluate: (part: Part) => Json | undefined,
  budget: EvaluationBudget,
): Json | undefined {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') {
    const value = evaluate(first);
    budget.spend(value);
    return value;
  }
  const texts: string[] = [];
  for (const part of parts) {
    budget.assertTimeLeft();
    const value = typeof part === 'string' ? part : evaluate(part);
    budget.spend(value);
    texts.push(renderText(value));
  }
  return texts.join('');
}

/** Rejects a misspelled variable; without a value it would mask, index or fingerprint nothing. @throws ExpressionFailure */
export function assertKnownVariables({ variables }: Template, scope: Scope): void {
  for (const name of variables) {
    if (Object.hasOwn(scope, name)) continue;
    throw new ExpressionFailure(
      `unknown variable "${name}"; the variables are ${Object.keys(scope).join(' and ')}`,
    );
  }
}

export function evaluateValue(expression: Expression, scope: Scope, budget: EvaluationBudget) {
  const { value, fastPath: direct } = expression;
  try {
    const result = direct ? direct(scope, budget) : interpret(expression, scope, budget);
    return value.filters.length === 0 ? assertFinite(result) : toJson(result);
  } catch (error) {
    throw toFailure(error);
  }
}

function interpret({ value }: Expression, scope: Scope, budget: EvaluationBudget): unknown {
  const options = { sync: true, globals: { [BUDGET]: budget } };
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
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ExpressionFailure('the result is not a finite number');
  return value as Json | undefined;
}

/** Normalizes the result of a filter, which may be an array with holes or a buffer. */
function toJson(value: unknown): Json | undefined {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value !== 'object' || value === null) return assertFinite(value);
  assertTextLength(value);
  return JSON.parse(JSON.stringify(value)) as Json;
}

function toFailure(error: unknown): unknown {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
  if (cause instanceof ExpressionFailure) return cause;
  if (isLimitError(cause)) return memoryExceeded();
  return new ExpressionFailure('the expression cannot be evaluated with this data');
}
