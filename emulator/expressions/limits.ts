// Bounds of one evaluation. Liquid parses in quadratic time and filters can multiply what they are given.

/** Longest text that may hold expressions, in characters. */
export const MAX_EXPRESSION_LENGTH = 65_536;
/** Time for all expressions of one structure, in milliseconds of real time. It stops runaway work, not slow machines. */
export const MAX_EVALUATION_MS = 1_000;
/** Liquid's own measure of what its filters allocate: characters and array elements. Twice the largest body. */
export const MAX_MEMORY_UNITS = 10_485_760;
/** Largest result of all expressions of one structure, in characters of its JSON. */
export const MAX_OUTPUT_LENGTH = 10_485_760;
/** Deepest nesting of a structure whose strings are expressions; a body may nest as deep. */
export const MAX_DEPTH = 200;
/** Parsed templates that are kept, and the longest text worth keeping, in characters. */
export const CACHED_TEMPLATES = 1_000;
export const MAX_CACHED_LENGTH = 4_096;
/** Property reads that one JSONPath query may make. */
export const MAX_QUERY_STEPS = 250_000;
/** Failed expressions that one answer lists. */
export const MAX_ERRORS = 20;
