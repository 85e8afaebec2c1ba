import { LIMITS } from '../../src/contract/limits.js';

// Limits of the evaluation of one request. Liquid parses in quadratic time, and filters can multiply their input.

/** Maximum length of a text with expressions, in characters. */
export const MAX_EXPRESSION_LENGTH = 65_536;
/** Time for all expressions of one request, in milliseconds that its threads run. */
export const MAX_EVALUATION_MS = 1_000;
/** Limit of what filters allocate, in the units of Liquid: characters and array elements. Twice the largest body. */
export const MAX_MEMORY_UNITS = 10_485_760;
/** Maximum size of the results of all expressions of one request, in characters of JSON. */
export const MAX_OUTPUT_LENGTH = 10_485_760;
/** Maximum nesting depth of a structure whose strings are expressions. */
export const MAX_DEPTH = LIMITS.bodyDepth;
/** The texts of the parsed templates in the cache, in characters: parsed, they take up to 150 bytes for each. */
export const CACHED_CHARACTERS = 131_072;
/** The maximum length of a cached text, in characters. */
export const MAX_CACHED_LENGTH = 4_096;
export const MAX_QUERY_STEPS = 250_000;
/** Maximum number of failed expressions in one error response. */
export const MAX_ERRORS = 20;

/** Work of one evaluation on the main thread, in characters read. More is evaluated in a worker thread. */
export const MAX_MAIN_THREAD_WORK = 131_072;
/** Maximum length of a text with expressions that the main thread parses, in characters. */
export const MAX_MAIN_THREAD_TEXT = 1_024;
/** The longest that an evaluation on the main thread counts, in milliseconds: what takes longer waited for a processor. */
export const MAX_LIGHT_MS = 20;
/** Time that one request may evaluate on the main thread before other requests get their turn, in milliseconds. */
export const MAIN_THREAD_SLICE_MS = 20;
export const EVALUATION_THREADS = 2;
export const EVALUATION_HEAP_MB = 256;
/** Time that an evaluation thread gets to start and to read its input, in milliseconds. The input is no longer than a body. */
export const MAX_INPUT_MS = 10_000;
/** Time that an evaluation thread gets beyond the budget, to report, in milliseconds. */
export const EVALUATION_GRACE_MS = 500;
export const IDLE_THREAD_MS = 5_000;
/** Time that an evaluation waits for a thread, in milliseconds, before it is answered with 503. */
export const MAX_WAIT_MS = LIMITS.largeRequests.waitMs;
