import * as z from 'zod';
import { created, empty, idPath, jsonValue, noQuery, timestamp, uuid } from './common.js';
import { bankDetails, cardDetails, tokenType } from './tokens.js';

const createTokenIntent = z
  .strictObject({ type: tokenType, data: jsonValue })
  .meta({ id: 'CreateTokenIntentRequest', description: 'A token intent to create.' });

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
  'tokenIntents.create': { query: noQuery, body: createTokenIntent, responses: { 201: tokenIntent } },
  'tokenIntents.get': { path: idPath, query: noQuery, responses: { 200: tokenIntent } },
  'tokenIntents.delete': { path: idPath, query: noQuery, responses: { 204: empty } },
};
