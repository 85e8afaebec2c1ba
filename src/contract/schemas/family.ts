import * as z from 'zod';
import { containerOfId } from '../permissions.js';
import { accessControls, EITHER_NOT_BOTH, eitherNotBoth } from './applications.js';
import { created, empty, expiration, jsonValue, object, stringMap, timestamp, uuid } from './common.js';
import {
  bankDetails,
  cardDetails,
  containerPath,
  encrypted,
  isTokenId,
  TOKEN_ID_RULE,
  tokenType,
} from './tokens.js';

const createTokenIntent = object('CreateTokenIntentRequest', 'A token intent to create.', {
  type: tokenType,
  data: jsonValue,
});
const createEncryptedTokenIntent = object(
  'CreateEncryptedTokenIntentRequest',
  'A token intent to create of encrypted data.',
  { type: tokenType, encrypted },
);

const tokenIntent = object(
  'TokenIntent',
  'Data that can become a token until it expires. Never shows the data.',
  {
    id: uuid,
    tenant_id: uuid,
    type: tokenType,
    card: cardDetails.optional(),
    bank: bankDetails.optional(),
    fingerprint: z.string().optional(),
    expires_at: timestamp,
    ...created,
  },
);

const createdSession = object(
  'CreatedSession',
  'A session: its key, which no other response shows, and the nonce by which it is authorized.',
  { session_key: z.string(), nonce: z.string(), expires_at: timestamp },
);

const ofId = object('IdCondition', 'Limits a rule to one token.', {
  attribute: z.literal('id'),
  operator: z.literal('equals', 'must be equals'),
  value: z.string().refine(isTokenId, `must be ${TOKEN_ID_RULE}`),
});
const ofContainer = object('ContainerCondition', 'Limits a rule to the tokens of a container.', {
  attribute: z.literal('container'),
  operator: z.literal('starts_with', 'must be starts_with'),
  value: containerPath,
});
const condition = z.discriminatedUnion('attribute', [ofId, ofContainer]);

const areDistinct = (conditions: readonly z.infer<typeof condition>[]): boolean =>
  new Set(conditions.map(({ attribute }) => attribute)).size === conditions.length;

/** A rule whose container may be conditions, of which the container of a token or of tokens is made. */
const sessionRule = accessControls.rules
  .unwrap()
  .element.extend({
    container: containerPath.optional(),
    conditions: z.array(condition).min(1).refine(areDistinct, 'must be of different attributes').optional(),
  })
  .refine(({ container, conditions }) => (container === undefined) !== (conditions === undefined), {
    path: ['container'],
    error: 'must be given, or conditions instead, but not both',
  })
  .meta({
    id: 'SessionRule',
    description: 'An access rule, with a container or with conditions that all must hold.',
  })
  .transform(({ container = '/', conditions = [], ...rest }) => {
    const values = Object.fromEntries(conditions.map(({ attribute, value }) => [attribute, value]));
    const { id, container: below = container } = values;
    return { ...rest, container: id === undefined ? below : containerOfId(id, below) };
  });

/** Each is compared with all rules of the key that authorizes the session. */
const MAX_RULES = 100;

const authorizeSession = z
  .strictObject({
    nonce: z.string(),
    expires_at: expiration.optional(),
    permissions: accessControls.permissions,
    rules: z.array(sessionRule).max(MAX_RULES).optional(),
  })
  .refine(eitherNotBoth, EITHER_NOT_BOTH)
  .meta({
    id: 'AuthorizeSessionRequest',
    description: 'What a session may do: either `permissions` or `rules`, and until when.',
  });

const encryptionKey = object('EncryptionKey', 'A key to encrypt token data with, without the key itself.', {
  key_id: uuid,
  expires_at: timestamp,
});
const createdEncryptionKey = encryptionKey.extend({ public_key_pem: z.string() }).meta({
  id: 'CreatedEncryptionKey',
  description: 'A new key to encrypt token data with: RSA-OAEP-256 and A256GCM, with its id as `kid`.',
});
const createEncryptionKey = object(
  'CreateEncryptionKeyRequest',
  'When the key expires: after a day by default.',
  { expires_at: expiration.optional() },
);

const binDetails = cardDetails
  .pick({ brand: true, funding: true, issuer: true })
  .meta({ id: 'BinDetails', description: 'What is known of the cards of a BIN.' });

const verifyBankAccount = object('VerifyBankAccountRequest', 'The bank account in a token.', {
  token_id: z.string().refine(isTokenId, `must be ${TOKEN_ID_RULE}`),
  country_code: z.literal('US', 'must be US').nullish(),
  routing_number: z.string().nullish().describe('Of a token of type `us_bank_account_number`.'),
});

const bankAccountStatus = object('BankAccountStatus', 'Whether a bank account can receive money.', {
  status: z.enum(['enabled', 'disabled', 'inconclusive']),
});

const documentForm = object('UploadDocumentRequest', 'A document to upload.', {
  document: z.string().meta({ format: 'binary' }).describe('The file, with its content type.'),
  request: z.string().optional().describe('JSON: `{ metadata }`.'),
});

const document = object('Document', 'A document, without its content.', {
  id: uuid,
  tenant_id: uuid,
  metadata: stringMap.optional(),
  content_type: z.string(),
  ...created,
});

/** Named, since declarations cannot repeat where the compiler finds the type. */
const upload: z.ZodType<Response, Response> = z.instanceof(Response);

/** The schemas of token intents, sessions, keys, documents and enrichments. */
export const familySchemas = {
  'tokenIntents.create': {
    body: z.union([createTokenIntent, createEncryptedTokenIntent]),
    responses: { 201: tokenIntent },
  },
  'tokenIntents.get': { responses: { 200: tokenIntent } },
  'tokenIntents.delete': { responses: { 204: empty } },
  'sessions.create': { responses: { 201: createdSession } },
  'sessions.authorize': { body: authorizeSession, responses: { 204: empty } },
  'keys.create': {
    body: createEncryptionKey.default({}),
    responses: { 201: createdEncryptionKey },
  },
  'keys.list': { responses: { 200: z.array(encryptionKey) } },
  'keys.get': { responses: { 200: encryptionKey } },
  'keys.delete': { responses: { 204: empty } },
  'documents.upload': {
    body: upload,
    documentedBody: documentForm,
    responses: { 201: document },
  },
  'documents.get': { responses: { 200: document } },
  'documents.download': { responses: { 200: z.unknown().meta({ format: 'binary' }) } },
  'documents.delete': { responses: { 204: empty } },
  'enrichments.cardDetails': {
    query: z.strictObject({
      bin: z
        .string('is required')
        .regex(/^\d{6,8}$/, 'must be 6 to 8 digits')
        .describe('The first digits of a card number.'),
    }),
    responses: { 200: binDetails },
  },
  'enrichments.verifyBankAccount': {
    body: verifyBankAccount,
    responses: { 200: bankAccountStatus },
  },
};
