import * as z from 'zod';
import { LIMITS } from '../limits.js';

/** A schema of its own in OpenAPI: an object without other properties. */
export const object = <const Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  shape: Shape,
) => z.strictObject(shape).meta({ id, description });

/** Any JSON value except null. */
export const jsonValue = z
  .unknown()
  .refine((value) => value !== null && value !== undefined, {
    error: ({ input }) => `${input === undefined ? 'is required,' : 'must be'} any JSON value except null`,
    // Of a union, an option without its value then no longer counts as the one that was meant.
    abort: true,
  })
  .meta({
    anyOf: [
      { type: 'object' },
      { type: 'array', items: {} },
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
    ],
  });

export const oneOf = <Word extends string>(words: readonly Word[]) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

/** What creating a duplicate does to the token that there is; extension. */
export const deduplicationBehavior = oneOf(['read_existing', 'update_existing']);

export const uuid = z.uuid('must be a UUID');
export const timestamp = z.string().meta({ format: 'date-time' });

export const name = z.string().min(1).max(LIMITS.nameCharacters);
export const stringMap = z.record(z.string(), z.string());
/** A string map as a merge patch: null removes a key. */
export const stringMapPatch = z.record(z.string(), z.string().nullable());

/** Limits the keys of a map to those that a token's metadata may have; decided, Containers. */
export const boundedKeys = <Map extends z.ZodType<Record<string, unknown>>>(map: Map) =>
  map
    .refine(
      (value) => Object.keys(value).length <= LIMITS.metadataKeys,
      `must have at most ${LIMITS.metadataKeys} keys`,
    )
    .meta({ maxProperties: LIMITS.metadataKeys });

/** A query parameter that may be repeated; a single value becomes a list of one. */
export const repeatable = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).max(LIMITS.listIds).optional(),
  );

/** A query parameter that must not be repeated. */
export const single = <Item extends z.ZodType>(item: Item) => item.optional();

const integerWithin = (minimum: number, maximum: number) =>
  z.int(`must be an integer from ${minimum} to ${maximum}`).min(minimum).max(maximum);

/** An integer in a query, where it is text. */
const parameter = <Item extends z.ZodType>(integer: Item) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    integer,
  );

const { minimum, maximum, default: usual } = LIMITS.pageSize;
const pageNumber = integerWithin(1, Number.MAX_SAFE_INTEGER);
const pageSize = integerWithin(minimum, maximum);

/** `page` from 1 and `size` from 1 to 100; decided, Pagination. */
export const pageQuery = {
  page: parameter(pageNumber).default(1).describe('The number of the page, from 1.'),
  size: parameter(pageSize).default(usual).describe('Items per page.'),
};
/** The same in a JSON body. */
export const pageBody = {
  page: pageNumber.default(1).describe('The number of the page, from 1.'),
  size: pageSize.default(usual).describe('Items per page.'),
};

/** The query of a list of objects with names. */
export const namedQuery = (collection: string) =>
  z.strictObject({
    id: repeatable(uuid).describe(`Only ${collection} with one of these ids.`),
    name: single(z.string()).describe(`Only ${collection} with this name; \`*\` and \`?\` are wildcards.`),
    ...pageQuery,
  });

const pagination = object('Pagination', 'The position of a page in its list.', {
  total_items: z.int().min(0),
  page_number: z.int().min(1),
  page_size: z.int().min(1),
  total_pages: z.int().min(0),
  next: z
    .string()
    .optional()
    .describe('With `--lenient`, for a request with `start`: that of the next page.'),
});

/** `{ pagination, data }`; spec, GET /tokens and GET /reactors. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z
    .strictObject({ pagination, data: z.array(item) })
    .meta({ id: `${item.meta()?.id}Page`, description: 'One page of a list.' });

const cursorPagination = object('CursorPagination', 'The position of a page in a list by cursor.', {
  page_size: z.int().min(1),
  next: z.string().optional().describe('The `start` of the next page; absent from the last one.'),
});

/** `{ pagination, data }` of a list by cursor. */
export const cursorPage = <Item extends z.ZodType>(item: Item) =>
  z
    .strictObject({ pagination: cursorPagination, data: z.array(item) })
    .meta({ id: `${item.meta()?.id}CursorPage`, description: 'One page of a list by cursor.' });

/** The application of a reactor or proxy. */
export const applicationReference = object('ApplicationReference', 'An application, by its id.', {
  id: uuid,
});

/** Of a reactor or proxy; extension. A fault delays its activation, or lets it fail with `requested` saying why. */
export const activation = {
  state: z.enum(['creating', 'active', 'failed']).optional(),
  requested: object('RequestedActivation', 'Why a reactor or proxy could not become active.', {
    error_code: z.string(),
    error_message: z.string(),
  }).optional(),
};

export const created = { created_by: uuid.optional(), created_at: timestamp.optional() };
/** Who created and who last modified an object, and when. */
export const modified = { ...created, modified_by: uuid.optional(), modified_at: timestamp.optional() };

/** Without zeros in front, with which it would be octal. */
const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** The usual hosts of URLs. The service accepts what else is a valid URL. */
const HOST = `(([A-Za-z0-9-]+\\.)*[A-Za-z][A-Za-z0-9-]*|${BYTE}(\\.${BYTE}){3})`;

export const SCHEME_RULE = 'must be a URL that starts with https:// (http:// to loopback only)';

/** A URL that the service posts to. Its length is checked first: parsing takes time by the square of that of the host. */
export const callbackUrl = z
  .string()
  .max(LIMITS.callbackUrlCharacters)
  .meta({
    format: 'uri',
    pattern: `^(https://${HOST}|http://(localhost|127\\.0\\.0\\.1))(:\\d{1,4})?([/?#][!-~]*)?$`,
  })
  .pipe(z.url({ protocol: /^https?$/, error: SCHEME_RULE }));

/** A URL in a response. */
export const url = z.string().meta({ format: 'uri' });

const DATE = '(0?[1-9]|1[0-2])/(0?[1-9]|[12]\\d|3[01])/\\d{4}';
const TIME = '(0?[1-9]|1[0-2]):[0-5]\\d:[0-5]\\d [AP]M';
const OFFSET = '[+-](0\\d|1[0-4]):[0-5]\\d';
const ISO_DATE = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const ISO_TIME = 'T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.]\\d{1,9})?)?';

/** When a token or key expires. The service parses it, and refuses dates that do not exist; spec, Token expiration. */
export const expiration = z
  .string()
  .describe(
    'A time in the future: `<month>/<day>/<year> <h>:<mm>:<ss> <AM|PM> <+|-><hh>:<mm>`, the date alone, or ISO 8601.',
  )
  .meta({
    pattern: `^(${DATE}( ${TIME}( ${OFFSET})?)?|${ISO_DATE}(${ISO_TIME}(Z|${OFFSET})?)?)$`,
    examples: ['8/31/2099 3:30:00 PM -05:00', '8/31/2099', '2099-08-31T15:30:00-05:00'],
  });

/** The query of an operation without query parameters. */
export const noQuery = z.strictObject({});
/** A response without a body. */
export const empty = z.undefined();
