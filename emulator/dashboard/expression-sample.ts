import type { ControlRequest } from '../../src/contract/control/schemas.js';
import { type Json, RequestBudget } from '../expressions/index.js';
import type { Context } from '../operations/context.js';
import { FieldChecks } from '../operations/tokens/field-checks.js';

/**
 * Evaluates expressions over sample data, as the mask of a token is evaluated.
 * @throws ProblemError 400 with the errors of the expressions by path
 */
export async function evaluateSample(
  { expression, data, metadata }: ControlRequest<'expressions.evaluate'>['body'],
  { clock }: Pick<Context, 'clock'>,
): Promise<Json | undefined> {
  const checks = new FieldChecks();
  const budget = new RequestBudget(clock.now());
  const scope = { data, ...(metadata && { metadata }) };
  const result = await checks.evaluate('expression', () =>
    budget.evaluate(expression as Json, scope, 'expression'),
  );
  checks.assertValid();
  return result;
}
