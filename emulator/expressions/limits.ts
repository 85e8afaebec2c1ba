// Limits of one evaluation. Liquid parses in quadratic time, and filters can multiply their input.

/** Maximum length of a text with expressions, in characters. */
export const MAX_EXPRESSION_LENGTH = 65_536;
/** Time for all expressions of one structure, in milliseconds of real time. Generous, so that slow machines stay below it. */
export const MAX_EVALUATION_MS = 1_000;
/** Limit of what filters allocate, in the units of Liquid: characters and array elements. Twice the largest body. */
export const MAX_MEMORY_UNITS = 10_485_760;
/** Maximum size of the results of all expressions of one structure, in characters of JSON. */
export const MAX_OUTPUT_LENGTH = 10_485_760;
/** Maximum nesting depth of a structure whose strings are expressions; the same as of a request body. */
export const MAX_DEPTH = 200;
/** Number of parsed templates in the cache, and the maximum length of a cached text, in characters. */
export const CACHED_TEMPLATES = 1_000;
export const MAX_CACHED_LENGTH = 4_096;
/** Maximum number of property reads of one JSONPath query. */
export const MAX_QUERY_STEPS = 250_000;
/** Maximum number of failed expressions in one error response. */
export const MAX_ERRORS = 20;
