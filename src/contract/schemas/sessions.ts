import * as z from 'zod';
import { accessControls, EITHER_NOT_BOTH, eitherNotBoth } from './applications.js';
import { empty, expiration, timestamp } from './common.js';

const createdSession = z
  .strictObject({ session_key: z.string(), nonce: z.string(), expires_at: timestamp })
  .meta({
    id: 'CreatedSession',
    description:
      'A session: its key, which no other response shows, and the nonce by which it is authorized.',
  });

/** Each is compared with all rules of the key that authorizes the session. */
const MAX_RULES = 100;

const authorizeSession = z
  .strictObject({
    nonce: z.string(),
    expires_at: expiration.optional(),
    permissions: accessControls.permissions,
    rules: accessControls.rules.unwrap().max(MAX_RULES).optional(),
  })
  .refine(eitherNotBoth, EITHER_NOT_BOTH)
  .meta({
    id: 'AuthorizeSessionRequest',
    description: 'What a session may do: either `permissions` or `rules`, and until when.',
  });

export const sessionSchemas = {
  'sessions.create': { responses: { 201: createdSession } },
  'sessions.authorize': { body: authorizeSession, responses: { 204: empty } },
};
