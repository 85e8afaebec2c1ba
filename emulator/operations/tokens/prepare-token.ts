import type { OperationRequest } from '../../../src/contract/schemas/index.js';
import {
  DEFAULT_FINGERPRINT_EXPRESSION,
  TOKEN_TYPES,
  type TokenTypeDefaults,
} from '../../../src/contract/token-types.js';
import type { Json, RequestBudget } from '../../expressions/index.js';
import { nextInOrder } from '../../lib/ids.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { Stored, TenantRecord, TokenIntentRecord, TokenRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';
import { type CreateBody, completeBody } from './convert-token-intent.js';
import { evaluateToken, parseData } from './evaluate-token.js';
import { FieldChecks } from './field-checks.js';
import { cvcExpiry, parseExpirationField } from './lifetime.js';
import { chooseId, type IdCandidate } from './token-ids.js';

/** A validated token that is not inserted yet. */
export interface NewToken {
  readonly record: TokenRecord;
  readonly masked: Json | undefined;
  readonly deduplicate: boolean;
  /** The origin of the record's id. */
  readonly idCandidate: IdCandidate;
  readonly intent?: Stored<TokenIntentRecord>;
}

/** Validates a create request beyond its schema and evaluates its expressions. @throws ProblemError 400 */
export async function prepareToken(
  request: OperationRequest<'tokens.create'>['body'],
  call: Call,
  services: Pick<Context, 'ids' | 'store' | 'clock' | 'options'>,
  budget: RequestBudget,
): Promise<NewToken> {
  const { complete: body, intent } = await completeBody(request, call, services);
  const checks = new FieldChecks();
  const { now } = budget;
  const data = parseData(body.type, body.data, checks);
  const expires_at =
    typeof body.expires_at === 'string' ? parseExpirationField(body.expires_at, now, checks) : undefined;
  // Expressions over invalid data would only add errors that follow from it.
  checks.assertValid();
  const deduplicate = body.deduplicate_token ?? call.tenant.settings.deduplicate_tokens === 'true';
  const idCandidate = await chooseId(body.id, data, budget, services.ids.uuid, checks);
  const record: TokenRecord = {
    id: idCandidate.id,
    tenant_id: call.tenant.id,
    type: body.type,
    data,
    containers: containersOf(body),
    created_by: call.application.id,
    created_at: formatTimestamp(now),
    creation_order: nextInOrder(),
  };
  addOptionalFields(record, body, defaultFingerprintExpression(call.tenant, deduplicate));
  if (expires_at !== undefined) record.expires_at = expires_at;
  const { stored, masked } = await evaluateToken(record, call.tenant, budget, checks);
  checks.assertValid();
  const { search_values, fingerprint } = stored;
  if (search_values !== undefined) record.search_values = search_values;
  if (fingerprint !== undefined) record.fingerprint = fingerprint;
  const { cvc_expires_at } = cvcExpiry(record, now);
  if (cvc_expires_at !== undefined) record.cvc_expires_at = cvc_expires_at;
  return { record, deduplicate, idCandidate, masked, ...(intent && { intent }) };
}

function containersOf({ containers, privacy, type }: CreateBody): string[] {
  if (containers) return [...new Set(containers)];
  return privacy
    ? [`/${privacy.classification}/${privacy.impact_level}/`]
    : [...TOKEN_TYPES[type].containers];
}

function addOptionalFields(record: TokenRecord, body: CreateBody, fingerprint: string | undefined): void {
  const { mask: defaultMask }: TokenTypeDefaults = TOKEN_TYPES[body.type];
  const mask = body.mask ?? defaultMask;
  const expression = body.fingerprint_expression ?? fingerprint;
  if (mask !== undefined) record.mask = mask;
  if (body.metadata) record.metadata = body.metadata;
  if (body.search_indexes) record.search_indexes = body.search_indexes;
  if (expression !== undefined) record.fingerprint_expression = expression;
}

/** The fingerprint expression of a token without its own (decisions.md, "Fingerprints and deduplication"). */
export function defaultFingerprintExpression(tenant: TenantRecord, deduplicate: boolean): string | undefined {
  const isFingerprinted = deduplicate || tenant.settings.fingerprint_tokens === 'true';
  return isFingerprinted ? DEFAULT_FINGERPRINT_EXPRESSION : undefined;
}
