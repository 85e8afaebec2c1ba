import * as z from 'zod';
import { NO_FLAG } from '../problems.js';
import { TOKEN_TYPE_NAMES } from '../token-types.js';
import { deduplicationBehavior, empty, modified, name, object, timestamp, uuid } from './common.js';

const flag = z.enum(['true', 'false'], NO_FLAG);

/** Spec, Tenant settings object. */
export const tenantSettings = object(
  'TenantSettings',
  'Settings of a tenant; flags are the strings `true` or `false`.',
  {
    fingerprint_tokens: flag,
    deduplicate_tokens: flag,
    /** These are extensions. */
    disable_ephemeral_proxy: flag.optional(),
    token_deduplication_behavior: deduplicationBehavior.optional(),
  },
);

/** Spec, Tenant object. */
const tenant = object('Tenant', 'The account of an API key.', {
  id: uuid,
  owner_id: uuid,
  name,
  settings: tenantSettings,
  ...modified,
});

const settingsPatch = tenantSettings
  .partial()
  .meta({ id: 'TenantSettingsPatch', description: 'The settings to change.' });

const updateTenant = object('UpdateTenantRequest', 'The name and settings of a tenant.', {
  name,
  settings: settingsPatch.nullish(),
});

const tokenMetrics = object('TokenMetrics', 'How many tokens of a type there are.', {
  count: z.int().min(0),
  last_created_at: timestamp.optional(),
});

const tokenReport = object('TokenReport', 'How many tokens there are, and how many were used this month.', {
  metrics_by_type: z.partialRecord(z.enum(TOKEN_TYPE_NAMES), tokenMetrics),
  included_monthly_active_tokens: z.int().min(0),
  monthly_active_tokens: z.int().min(0),
});

/** Spec, Tenant usage report. */
const usageReport = object('UsageReport', 'What a tenant used.', {
  token_report: tokenReport,
});

export const tenantSchemas = {
  'tenants.get': { responses: { 200: tenant } },
  'tenants.update': { body: updateTenant, responses: { 200: tenant } },
  'tenants.delete': { responses: { 204: empty } },
  'tenants.usage': { responses: { 200: usageReport } },
};
