import * as z from 'zod';
import { METHODS } from '../operation-row.js';
import { OPERATION_IDS } from '../operations.js';
import { oneOf } from '../schemas/common.js';
import { requestEvent } from './events.js';

/** A recent request. Of token data, arguments, keys and configuration values only the shape is readable. */
export const journaledRequest = z.strictObject({
  ...requestEvent.shape,
  /** Those that hold neither keys nor personal data, by lower-case name. */
  headers: z.record(z.string(), z.string()),
  query: z.unknown().optional(),
  /** Absent without a body, and for one of more than 64 KB. */
  body: z.unknown().optional(),
  /** The body of the response, of a list its first items. Absent without one, and for one of more than 64 KB. */
  response: z.unknown().optional(),
});

const count = z.int().min(0);

/** What a request was. What is left out matches every request. */
const expectedRequest = {
  operation: oneOf(OPERATION_IDS).optional(),
  method: z.enum(METHODS).optional(),
  /** The whole path, without query. */
  path: z.string().optional(),
  status: z.int().optional(),
  /** Id or name. */
  application: z.string().optional(),
  /** Parameters that the request had, among others. */
  query: z.record(z.string(), z.unknown()).optional(),
  /** What the body held: of an object these properties among others, of an array all items. */
  body: z.unknown().optional(),
};

const MAX_SEQUENCE = 100;

export const requestExpectation = z
  .strictObject({
    ...expectedRequest,
    /** How many requests; one or more by default. */
    times: z.union([count, z.strictObject({ min: count.optional(), max: count.optional() })]).optional(),
    /** Requests that came after it, in this order, others between them. Without `times`. */
    followed_by: z.array(z.strictObject(expectedRequest)).max(MAX_SEQUENCE).optional(),
  })
  .refine(({ times, followed_by }) => times === undefined || followed_by === undefined, {
    path: ['times'],
    error: 'must be left out with followed_by',
  });

/** Where a request differs from what was expected. Neither value is repeated. */
const difference = z.strictObject({
  at: z.string(),
  reason: z.enum(['missing', 'differs', 'has another type', 'has another length']),
});

export const requestVerification = z.strictObject({
  /** Whether as many requests as expected match. */
  ok: z.boolean(),
  /** How many match; of a sequence, how many came in order. */
  matched: count,
  /** If none matches, or none continues the sequence: the request that differs least. Absent when there are no requests. */
  nearest: z.strictObject({ request: journaledRequest, differences: z.array(difference) }).optional(),
});

export type JournaledRequest = z.output<typeof journaledRequest>;
export type RequestExpectation = z.output<typeof requestExpectation>;
export type RequestVerification = z.output<typeof requestVerification>;
export type RequestDifference = z.output<typeof difference>;
