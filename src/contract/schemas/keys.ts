import * as z from 'zod';
import { empty, expiration, timestamp, uuid } from './common.js';

const encryptionKey = z
  .strictObject({ key_id: uuid, expires_at: timestamp })
  .meta({ id: 'EncryptionKey', description: 'A key to encrypt token data with, without the key itself.' });
const createdEncryptionKey = encryptionKey.extend({ public_key_pem: z.string() }).meta({
  id: 'CreatedEncryptionKey',
  description: 'A new key to encrypt token data with: RSA-OAEP-256 and A256GCM, with its id as `kid`.',
});
const createEncryptionKey = z
  .strictObject({ expires_at: expiration.optional() })
  .meta({ id: 'CreateEncryptionKeyRequest', description: 'When the key expires: after a day by default.' });

export const keySchemas = {
  'keys.create': {
    body: createEncryptionKey.default({}),
    responses: { 201: createdEncryptionKey },
  },
  'keys.list': { responses: { 200: z.array(encryptionKey) } },
  'keys.get': { responses: { 200: encryptionKey } },
  'keys.delete': { responses: { 204: empty } },
};
