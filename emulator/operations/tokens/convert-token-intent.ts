import type { OperationRequest } from '../../../src/contract/schemas/index.js';
import { TOKEN_TYPES } from '../../../src/contract/token-types.js';
import type { Json } from '../../expressions/index.js';
import { validationProblem } from '../../problems/problem.js';
import { systemAudit } from '../../services/audit-log.js';
import type { Stored, TokenIntentRecord, TokenRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import type { Call } from '../context.js';
import { isExpired } from '../token-expiry.js';
import { type DecryptServices, decryptData } from './decrypt-data.js';
import { type CachedResponses, cachedResponseDeletions, type TokenServices } from './delete.js';

type Body = OperationRequest<'tokens.create'>['body'];

export type CreateBody = Extract<Body, { data: unknown }>;

/** Completes a create request: decrypts its data, or takes that of an intent. @throws ProblemError 422, 400 */
export async function completeBody(body: Body, call: Call, services: DecryptServices) {
  const { store, clock } = services;
  if ('encrypted' in body) {
    const { encrypted, ...rest } = body;
    return { complete: { ...rest, data: await decryptData(encrypted, rest.type, call, services) } };
  }
  if (!('token_intent_id' in body)) return { complete: body };
  const { token_intent_id, ...rest } = body;
  const intent = await store.get('token-intents', call.tenant.id, token_intent_id.toLowerCase());
  if (!intent || isExpired(intent, clock.now())) throw intentGone();
  return { complete: { ...rest, type: intent.type, data: intent.data as NonNullable<Json> }, intent };
}

/** Another request may convert the intent between the check and the commit. */
export const intentGone = () =>
  validationProblem({
    token_intent_id: ['must be that of a token intent that is neither converted nor expired'],
  });

/** Creates the changes that delete intents, and the stored responses and pending callbacks with their data. */
export const intentRemovals = async (
  intents: readonly Stored<TokenIntentRecord>[],
  services: CachedResponses,
): Promise<Change[]> => [
  ...intents.map(
    ({ tenant_id, id, revision }): Change => ({ remove: 'token-intents', tenantId: tenant_id, id, revision }),
  ),
  ...(await cachedResponseDeletions(intents, services)),
];

/** Creates the changes that delete expired intents; their audit entries name the system as actor. */
export const intentExpirations = async (
  intents: readonly Stored<TokenIntentRecord>[],
  services: TokenServices,
): Promise<Change[]> => [
  ...(await intentRemovals(intents, services)),
  ...intents.map(({ tenant_id, id }) =>
    systemAudit(tenant_id, { entity: 'token-intent', operation: 'delete', id }, services),
  ),
];

/** Returns an intent as access checks and expressions see it: a token in the usual containers of its type. */
export const asToken = <Intent extends TokenIntentRecord>(intent: Intent): Intent & TokenRecord => ({
  ...intent,
  containers: [...TOKEN_TYPES[intent.type].containers],
});
