import * as z from 'zod';
import { stringMap, timestamp } from '../schemas/common.js';
import { CONSOLE_LEVELS } from './vocabulary.js';

const milliseconds = z.number().min(0);

/** A request that a reactor sent. URL, headers and bodies are masked: only their shape is readable. */
const tracedRequest = z.strictObject({
  method: z.string(),
  url: z.string(),
  status: z.int().optional(),
  error: z.string().optional(),
  /** Milliseconds from the start of the invocation to that of the request. */
  offset_ms: milliseconds,
  duration_ms: milliseconds,
  request_headers: stringMap,
  response_headers: stringMap,
  request_body: z.string().optional(),
  response_body: z.string().optional(),
});

/** Where the time of an invocation went, in milliseconds. A phase that was not reached is absent. */
const tracedPhases = z.strictObject({
  /** Reading the tokens, checking permissions, replacing the expressions. */
  detokenize: milliseconds.optional(),
  queue: milliseconds.optional(),
  /** Compiling the code and running its top level; 0 when warm. */
  load: milliseconds.optional(),
  /** The function, with everything that it awaits. */
  run: milliseconds.optional(),
  /** Creating the tokens of the result. */
  tokenize: milliseconds.optional(),
});

export const reactorTrace = z.strictObject({
  trace_id: z.string(),
  tenant_id: z.string(),
  reactor_id: z.string(),
  /** Reactors above it in a chain of `svc.reactors.react`. */
  depth: z.int().min(0),
  started_at: timestamp,
  status: z.int().optional(),
  /** No warm instance was free. */
  cold: z.boolean().optional(),
  total_ms: milliseconds.optional(),
  phases_ms: tracedPhases,
  /** When each phase started, in milliseconds from the start of the invocation. */
  starts_ms: tracedPhases,
  console: z.array(z.strictObject({ time: timestamp, level: z.enum(CONSOLE_LEVELS), message: z.string() })),
  requests: z.array(tracedRequest),
  /** The error that the code threw. Its message repeats no values that the code works with. Absent if there is none. */
  error: z
    .strictObject({
      name: z.string(),
      message: z.string(),
      line: z.int().optional(),
      column: z.int().optional(),
    })
    .optional(),
  /** Frames of the error that the code threw, the innermost first: `at charge (reactor.js:8:13)`. Absent if there is none. */
  stack: z.array(z.string()).optional(),
  /** Entries were left out because they were too many or too long. */
  cut: z.boolean(),
});

export type TracedRequest = z.output<typeof tracedRequest>;
export type TracedPhases = z.output<typeof tracedPhases>;
export type ReactorTrace = z.output<typeof reactorTrace>;
