import * as z from 'zod';
import { TOKEN_TYPE_NAMES } from '../token-types.js';
import { created, empty, modified, name, noQuery, timestamp, uuid } from './common.js';

const flag = z.enum(['true', 'false'], 'must be the string "true" or "false"');

/** Spec, Tenant settings object. */
export const tenantSettings = z.strictObject({ fingerprint_tokens: flag, deduplicate_tokens: flag });

/** Spec, Tenant object. */
const tenant = z.strictObject({
  id: uuid,
  owner_id: uuid,
  name,
  settings: tenantSettings,
  ...created,
  ...modified,
});

const updateTenant = z.strictObject({ name, settings: tenantSettings.partial().nullish() });

/** Spec, Tenant usage report. */
const usageReport = z.strictObject({
  token_report: z.strictObject({
    metrics_by_type: z.partialRecord(
      z.enum(TOKEN_TYPE_NAMES),
      z.strictObject({ count: z.int().min(0), last_created_at: timestamp.optional() }),
    ),
    included_monthly_active_tokens: z.int().min(0),
    monthly_active_tokens: z.int().min(0),
  }),
});

export const tenantSchemas = {
  'tenants.get': { query: noQuery, responses: { 200: tenant } },
  'tenants.update': { query: noQuery, body: updateTenant, responses: { 200: tenant } },
  'tenants.delete': { query: noQuery, responses: { 204: empty } },
  'tenants.usage': { query: noQuery, responses: { 200: usageReport } },
};
