import * as z from 'zod';
import { TOKEN_TYPE_NAMES } from '../token-types.js';
import { created, deduplicationBehavior, empty, modified, name, timestamp, uuid } from './common.js';

const flag = z.enum(['true', 'false'], 'must be the string "true" or "false"');

/** Spec, Tenant settings object. */
export const tenantSettings = z
  .strictObject({
    fingerprint_tokens: flag,
    deduplicate_tokens: flag,
    /** These are extensions. */
    disable_ephemeral_proxy: flag.optional(),
    token_deduplication_behavior: deduplicationBehavior.optional(),
  })
  .meta({
    id: 'TenantSettings',
    description: 'Settings of a tenant; flags are the strings `true` or `false`.',
  });

/** Spec, Tenant object. */
const tenant = z
  .strictObject({
    id: uuid,
    owner_id: uuid,
    name,
    settings: tenantSettings,
    ...created,
    ...modified,
  })
  .meta({ id: 'Tenant', description: 'The account of an API key.' });

const settingsPatch = tenantSettings
  .partial()
  .meta({ id: 'TenantSettingsPatch', description: 'The settings to change.' });

const updateTenant = z
  .strictObject({ name, settings: settingsPatch.nullish() })
  .meta({ id: 'UpdateTenantRequest', description: 'The name and settings of a tenant.' });

const tokenMetrics = z
  .strictObject({ count: z.int().min(0), last_created_at: timestamp.optional() })
  .meta({ id: 'TokenMetrics', description: 'How many tokens of a type there are.' });

const tokenReport = z
  .strictObject({
    metrics_by_type: z.partialRecord(z.enum(TOKEN_TYPE_NAMES), tokenMetrics),
    included_monthly_active_tokens: z.int().min(0),
    monthly_active_tokens: z.int().min(0),
  })
  .meta({ id: 'TokenReport', description: 'How many tokens there are, and how many were used this month.' });

/** Spec, Tenant usage report. */
const usageReport = z
  .strictObject({
    token_report: tokenReport,
  })
  .meta({ id: 'UsageReport', description: 'What a tenant used.' });

export const tenantSchemas = {
  'tenants.get': { responses: { 200: tenant } },
  'tenants.update': { body: updateTenant, responses: { 200: tenant } },
  'tenants.delete': { responses: { 204: empty } },
  'tenants.usage': { responses: { 200: usageReport } },
};
