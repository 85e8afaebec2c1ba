import type { Application } from '../../../src/contract/schemas/index.js';
import { keyRecord } from '../../access/application-keys.js';
import type { Handler } from '../handler-types.js';
import { crudHandlers } from '../resource/crud.js';
import { serialize } from '../resource/fields.js';
import { updateRecord } from '../resource/write-record.js';
import { application } from './application.js';
import { applicationKeyHandlers } from './keys.js';

const getOwn: Handler<'applications.key'> = async (_request, call) => ({
  status: 200,
  body: {
    ...serialize<Application>(application, call.application),
    ...(call.keyId !== undefined && { key_id: call.keyId }),
  },
});

/** Replaces all keys by one new key. */
const regenerate: Handler<'applications.regenerate'> = async ({ resource }, call, context) => {
  const key = context.ids.apiKey();
  const created = { created_by: call.actor.id, created_at: context.clock.timestamp() };
  const first = keyRecord(key, { id: resource.id, ...created });
  const change = (current: typeof resource) => ({ ...current, keys: [first] });
  const record = await updateRecord(application, resource, change, call, context);
  await context.seeded.recordNewKey(record, key);
  return { status: 200, body: { ...serialize<Application>(application, record), key } };
};

export const applicationHandlers = {
  ...crudHandlers(application),
  'applications.key': getOwn,
  'applications.regenerate': regenerate,
  ...applicationKeyHandlers,
};
