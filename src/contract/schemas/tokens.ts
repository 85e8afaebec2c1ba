import * as z from 'zod';
import { LIMITS } from '../limits.js';
import { TOKEN_TYPE_NAMES, type TokenType } from '../token-types.js';
import {
  boundedKeys,
  cursorPage,
  deduplicationBehavior,
  empty,
  expiration,
  jsonValue,
  modified,
  object,
  oneOf,
  page,
  pageBody,
  pageQuery,
  repeatable,
  single,
  stringMap,
  stringMapPatch,
  timestamp,
  uuid,
} from './common.js';
import { tokenDataSchemas } from './token-data.js';

const { minimum, maximum } = LIMITS.tokenIdCharacters;

export const TOKEN_ID_RULE = `${minimum} to ${maximum} characters without # / \\ + ? [ ] | & = % < > { } ^`;

/** Whether a text may be the id of a token; decided, Ids. */
export const isTokenId = (id: string): boolean =>
  id.length >= minimum && id.length <= maximum && !/[#/\\+?[\]|&=%<>{}^]/.test(id);

/** A literal or an expression. */
const tokenId = z
  .string()
  .refine((id) => id.includes('{{') || isTokenId(id), `must be ${TOKEN_ID_RULE}, or an expression`)
  .meta({ pattern: `^[^#/\\\\+?\\[\\]|&=%<>{}^]{${minimum},${maximum}}$|\\{\\{.*\\}\\}` });

/** Decided, Containers: `/`, or segments between slashes; stored in lower case. */
export const containerPath = z
  .string()
  .max(LIMITS.containerCharacters)
  .regex(
    /^\/(?:[A-Za-z0-9_-]+\/)*$/,
    'must start and end with "/", as in /pci/high/; segments consist of A-Z a-z 0-9 _ -',
  )
  .toLowerCase();

export const tokenType = oneOf(TOKEN_TYPE_NAMES);
const start = z
  .string()
  .meta({ pattern: '^[A-Za-z0-9_-]+$' })
  .describe('`pagination.next` of the previous page; absent for the first one.');
const containers = z.array(containerPath).min(1).max(LIMITS.containers);
const searchIndexes = z.array(z.string()).max(LIMITS.searchIndexes);
const metadata = boundedKeys(stringMap);
const metadataPatch = boundedKeys(stringMapPatch);

const cardIssuer = object('CardIssuer', 'The bank that issued a card.', {
  country: z.string(),
  name: z.string(),
});
const issuerCountry = object('IssuerCountry', 'The country of the bank that issued a card (ISO 3166-1).', {
  alpha2: z.string(),
  name: z.string(),
  numeric: z.string(),
});

/** Details of the card in a token, computed from its data; decided, Newer generation. */
export const cardDetails = object(
  'CardDetails',
  'Details of the card in a token, computed from its data. What depends on the BIN is absent if the BIN is unknown.',
  {
    bin: z.string(),
    last4: z.string(),
    expiration_month: z.int().optional(),
    expiration_year: z.int().optional(),
    brand: z.string().optional(),
    funding: z.enum(['credit', 'debit', 'prepaid']).optional(),
    issuer: cardIssuer.optional(),
    issuer_country: issuerCountry.optional(),
  },
);

export const bankDetails = object(
  'BankDetails',
  'Details of the bank account in a token, computed from its data.',
  {
    routing_number: z.string(),
    account_number_last4: z.string().optional(),
  },
);

const extras = object('TokenExtras', 'Of a created token: whether it is one that there was.', {
  deduplicated: z.boolean(),
  deduplication_behavior: deduplicationBehavior.optional(),
});

/** Spec, Token object. Optional fields are absent when they have no value; `data` is absent from a redacted token. */
const token = object(
  'Token',
  'Sensitive data under an id. `data` is shown as the access of the key allows: in full, masked or not at all.',
  {
    id: z.string(),
    tenant_id: uuid,
    type: tokenType,
    data: z
      .unknown()
      .optional()
      .describe('Absent from a redacted token. Null when the mask evaluates to null.'),
    /** Of types `card` and `card_number`, where `data` is shown. */
    card: cardDetails.optional(),
    /** Of type `bank`, where `data` is shown. */
    bank: bankDetails.optional(),
    mask: z.unknown().optional(),
    enrichments: z.record(z.string(), z.unknown()).optional(),
    fingerprint: z.string().optional(),
    containers: z.array(z.string()),
    metadata: stringMap.optional(),
    search_indexes: searchIndexes.optional(),
    fingerprint_expression: z.string().optional(),
    expires_at: timestamp.optional(),
    ...modified,
    _extras: extras.optional(),
  },
);

/** Extension: names the container `/<classification>/<impact_level>/` of a token that names none. */
const privacy = object('Privacy', 'What clients that know no containers say of a token.', {
  classification: oneOf(['general', 'bank', 'pci', 'pii']),
  impact_level: oneOf(['low', 'moderate', 'high']).default('high'),
  restriction_policy: z.string().optional(),
});

export const createToken = z.strictObject({
  id: tokenId.nullish(),
  type: tokenType,
  data: jsonValue,
  mask: z.unknown().optional(),
  containers: containers.nullish(),
  metadata: metadata.nullish(),
  search_indexes: searchIndexes.nullish(),
  fingerprint_expression: z.string().nullish(),
  deduplicate_token: z.boolean().nullish(),
  expires_at: expiration.nullish(),
  privacy: privacy.nullish(),
});

/** A token of the type and data of a token intent. */
const convertTokenIntent = createToken
  .omit({ type: true, data: true })
  .extend({ token_intent_id: uuid })
  .meta({ id: 'ConvertTokenIntentRequest', description: 'A token to create of a token intent.' });

/** A JWE in compact form whose plaintext is JSON; decided, The family as it is today. */
export const encrypted = z
  .string()
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+\.[\w-]*\.[\w-]+$/, 'must be a JWE in compact form')
  .describe('The data, encrypted with a key of `POST /keys`: a JWE in compact form.');

/** A token whose data is encrypted on its way. */
const createEncryptedToken = createToken
  .omit({ data: true })
  .extend({ encrypted })
  .meta({ id: 'CreateEncryptedTokenRequest', description: 'A token to create of encrypted data.' });

export const createTokenBody = z.union([createToken, convertTokenIntent, createEncryptedToken]);

/** `us_bank_account_number` → `NewUsBankAccountNumber` */
const schemaName = (type: string) =>
  `New${type.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`;

const createTokenOfType = (type: TokenType) =>
  createToken.extend({ type: z.literal(type), data: tokenDataSchemas[type] }).meta({
    id: schemaName(type),
    description: `A token of type \`${type}\` to create.`,
  });

/** What `createTokenBody` accepts, with the data of each type; the service validates the data on its own, after the rest. */
const createTokenByType = z
  .discriminatedUnion('type', [
    createTokenOfType('token'),
    ...TOKEN_TYPE_NAMES.filter((type) => type !== 'token').map(createTokenOfType),
  ])
  .meta({
    id: 'CreateTokenRequest',
    description: 'A token to create.',
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        TOKEN_TYPE_NAMES.map((type) => [type, `#/components/schemas/${schemaName(type)}`]),
      ),
    },
  });

const updateToken = createToken
  .pick({
    ...{ mask: true, search_indexes: true, fingerprint_expression: true },
    ...{ deduplicate_token: true, expires_at: true },
  })
  .extend({
    data: z
      .unknown()
      .refine((value) => value !== null, 'must not be null: a token always has data')
      .optional(),
    encrypted: encrypted.optional(),
    metadata: metadataPatch.nullish(),
    containers: containers.optional(),
  })
  .meta({ id: 'UpdateTokenRequest', description: 'What to change in a token, as a merge patch (RFC 7386).' });

const query = z
  .string()
  .max(LIMITS.searchQueryCharacters)
  .nullish()
  .describe('A Lucene query, for example `type:card AND metadata.order:7`. Empty: all tokens.');

const searchTokens = object('SearchTokensRequest', 'A search for tokens.', { query, ...pageBody });

const searchTokensByCursor = object('SearchTokensByCursorRequest', 'A search for tokens, by cursor.', {
  query,
  start: start.nullish(),
  size: pageBody.size,
});

/** Any JSON; tokenize and detokenize validate it themselves. */
const anyJson = z.unknown();
const someJson = anyJson.refine((value) => value !== undefined, 'is required, any JSON');

const filters = {
  metadata: metadata.describe('Only tokens with all of these metadata values.').optional(),
  type: single(tokenType).describe('Only tokens of this type.'),
  container: single(containerPath).describe('Only tokens in this container and below.'),
};

export const tokenSchemas = {
  'tokens.create': {
    body: createTokenBody,
    documentedBody: z.union([createTokenByType, convertTokenIntent, createEncryptedToken]),
    responses: { 201: token, 200: token },
  },
  'tokens.list': {
    query: z.strictObject({
      id: repeatable(z.string()).describe('Only tokens with one of these ids.'),
      ...filters,
      ...pageQuery,
    }),
    responses: { 200: page(token) },
  },
  'tokens.get': { responses: { 200: token } },
  'tokens.update': { body: updateToken, responses: { 200: token } },
  'tokens.delete': { responses: { 204: empty } },
  'tokens.search': { body: searchTokens, responses: { 200: page(token) } },
  'tokens.listByCursor': {
    query: z.strictObject({
      ...filters,
      fingerprint: single(z.string()).describe('Only tokens with this fingerprint.'),
      start: single(start),
      size: pageQuery.size,
    }),
    responses: { 200: cursorPage(token) },
  },
  'tokens.searchByCursor': {
    body: searchTokensByCursor,
    responses: { 200: cursorPage(token) },
  },
  tokenize: { body: jsonValue, responses: { 200: anyJson } },
  detokenize: { body: someJson, responses: { 200: anyJson } },
};
