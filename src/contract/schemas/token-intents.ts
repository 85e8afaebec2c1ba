import * as z from 'zod';
import { created, empty, jsonValue, timestamp, uuid } from './common.js';
import { bankDetails, cardDetails, encrypted, tokenType } from './tokens.js';

const createTokenIntent = z
  .strictObject({ type: tokenType, data: jsonValue })
  .meta({ id: 'CreateTokenIntentRequest', description: 'A token intent to create.' });
const createEncryptedTokenIntent = z.strictObject({ type: tokenType, encrypted }).meta({
  id: 'CreateEncryptedTokenIntentRequest',
  description: 'A token intent to create of encrypted data.',
});

const tokenIntent = z
  .strictObject({
    id: uuid,
    tenant_id: uuid,
    type: tokenType,
    card: cardDetails.optional(),
    bank: bankDetails.optional(),
    fingerprint: z.string().optional(),
    expires_at: timestamp,
    ...created,
  })
  .meta({
    id: 'TokenIntent',
    description: 'Data that can become a token until it expires. Never shows the data.',
  });

export const tokenIntentSchemas = {
  'tokenIntents.create': {
    body: z.union([createTokenIntent, createEncryptedTokenIntent]),
    responses: { 201: tokenIntent },
  },
  'tokenIntents.get': { responses: { 200: tokenIntent } },
  'tokenIntents.delete': { responses: { 204: empty } },
};
