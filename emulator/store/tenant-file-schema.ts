import * as z from 'zod';
import { TOKEN_TYPE_NAMES } from '../../src/contract/token-types.js';

/** The only format so far. */
export const TENANT_FILE_FORMAT = 1;

const text = z.string('must be a string');
const time = text.refine(
  (value) => !Number.isNaN(Date.parse(value)),
  'must be a timestamp as the API formats it',
);
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item, 'must be an array');

const record = z.looseObject(
  { id: text, created_at: time, created_by: text.optional(), modified_by: text.optional() },
  'must be an object',
);
const owned = record.extend({ tenant_id: text });

const application = owned.extend({
  type: text,
  key_hash: text.optional(),
  keys: listOf(z.looseObject({ id: text, hash: text, expires_at: time.optional() })).optional(),
});

const reactor = owned.extend({ name: text, application: z.looseObject({ id: text }).optional() });

const token = owned.extend({
  type: z.enum(TOKEN_TYPE_NAMES, `must be one of ${TOKEN_TYPE_NAMES.join(', ')}`),
  containers: listOf(text),
  metadata: z.record(z.string(), text, 'must be an object').optional(),
  search_values: listOf(text).optional(),
  fingerprint: text.optional(),
  modified_at: time.optional(),
  expires_at: time.optional(),
  cvc_expires_at: time.optional(),
});

/** What the indexes and operations read of a tenant's records: anything else could be stored, but not read or changed again. */
export const tenantFileSchema = z.looseObject(
  {
    tenant_file: z.literal(TENANT_FILE_FORMAT, `must be ${TENANT_FILE_FORMAT}`),
    tenant: record,
    applications: listOf(application),
    reactors: listOf(reactor),
    proxies: listOf(owned.extend({ name: text, key: text, destination_url: text })).optional(),
    webhooks: listOf(owned.extend({ name: text, url: text, events: listOf(text) })).optional(),
    tokens: listOf(token),
    settings: listOf(z.looseObject({ id: text }, 'must be an object')).optional(),
  },
  'must be an object',
);
