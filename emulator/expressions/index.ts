/** Parses and evaluates Liquid expressions: masks, ids, fingerprints, search indexes and reactor arguments. */
export { type Detokenization, type DetokenizedToken, parseDetokenization } from './detokenize.js';
export { ExpressionError, ExpressionFailure } from './errors.js';
export { evaluateText, renderText } from './evaluate.js';
export { usesAlias } from './filters/alias.js';
export { stringify } from './filters/convert.js';
export type { Json } from './json.js';
export { evaluateStructure } from './structure.js';
