import type { OperationRequest } from '../../../src/contract/schemas/index.js';
import {
  DEFAULT_FINGERPRINT_EXPRESSION,
  TOKEN_TYPES,
  type TokenTypeDefaults,
} from '../../../src/contract/token-types.js';
import type { Context } from '../../context.js';
import type { Json } from '../../expressions/index.js';
import type { Call } from '../../handler.js';
import type { TenantRecord, TokenRecord } from '../../store/records.js';
import { checkData, evaluate } from './evaluation.js';
import { FieldChecks } from './field-errors.js';
import { checkExpiration, cvcExpiry } from './lifetime.js';
import { type ChosenId, chooseId } from './token-id.js';

export type CreateBody = OperationRequest<'tokens.create'>['body'];

/** A token that passed every check and is ready to be stored. */
export interface Draft {
  readonly record: TokenRecord;
  /** What the create response shows as `data`. */
  readonly masked?: Json;
  readonly deduplicate: boolean;
  /** Where the record's id comes from. */
  readonly chosen: ChosenId;
}

/**
 * Checks a create request beyond its schema and evaluates its expressions.
 * @throws ProblemError 400
 */
export function createDraft(body: CreateBody, call: Call, context: Pick<Context, 'clock' | 'ids'>): Draft {
  const checks = new FieldChecks();
  const now = context.clock.now();
  const data = checkData(body.type, body.data, checks);
  const expires_at =
    typeof body.expires_at === 'string' ? checkExpiration(body.expires_at, now, checks) : undefined;
  // Expressions over data that its type refuses would only add noise.
  checks.assertNone();
  const deduplicate = body.deduplicate_token ?? call.tenant.settings.deduplicate_tokens === 'true';
  const fields = { ...fieldsOf(body, call.tenant, deduplicate), data };
  const { stored, masked } = evaluate(fields, call.tenant, now, checks);
  const chosen = chooseId(body.id, data, now, context.ids.uuid, checks);
  checks.assertNone();
  const record: TokenRecord = {
    id: chosen.id,
    tenant_id: call.tenant.id,
    ...fields,
    ...stored,
    ...(expires_at !== undefined && { expires_at }),
    ...cvcExpiry(data, now),
    created_by: call.application.id,
    created_at: new Date(now).toISOString(),
  };
  return { record, deduplicate, chosen, ...(masked !== undefined && { masked }) };
}

function fieldsOf(body: CreateBody, tenant: TenantRecord, deduplicate: boolean) {
  const defaults: TokenTypeDefaults = TOKEN_TYPES[body.type];
  const mask = body.mask ?? defaults.mask;
  const expression = body.fingerprint_expression ?? defaultFingerprint(tenant, deduplicate);
  return {
    type: body.type,
    ...(mask !== undefined && { mask }),
    containers: [...new Set(body.containers ?? defaults.containers)],
    ...(body.metadata && { metadata: body.metadata }),
    ...(body.search_indexes && { search_indexes: body.search_indexes }),
    ...(expression !== undefined && { fingerprint_expression: expression }),
  };
}

/** When a token without an expression of its own is fingerprinted; decisions.md, "Fingerprints and deduplication". */
export function defaultFingerprint(tenant: TenantRecord, deduplicate: boolean): string | undefined {
  const wanted = deduplicate || tenant.settings.fingerprint_tokens === 'true';
  return wanted ? DEFAULT_FINGERPRINT_EXPRESSION : undefined;
}
