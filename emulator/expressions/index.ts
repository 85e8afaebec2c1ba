/** Parses and evaluates Liquid expressions: masks, ids, fingerprints, search indexes and reactor arguments. */
export type { Json } from '../../src/contract/json.js';
export { CONFIG_PREFIX, type DetokenizedToken, INTENT_PREFIX, splitExpressions } from './detokenize.js';
export { BudgetExceededError, EvaluationBusyError, ExpressionError, ExpressionFailure } from './errors.js';
export { renderText } from './evaluate.js';
export { usesAlias } from './filters/alias.js';
export { stringify } from './filters/convert.js';
export { RequestBudget } from './request-budget.js';
export { assertStructure } from './structure.js';
