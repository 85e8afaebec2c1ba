import type { Store } from '../store/store.js';

/** Whether all of these tokens and token intents exist, so that a response with their data may be shown. */
export async function haveTokens(store: Pick<Store, 'find'>, tenantId: string, ids: readonly string[]) {
  if (ids.length === 0) return true;
  const query = { tenantId, where: { ids: [...ids] }, limit: 0 };
  const [tokens, intents] = await Promise.all([
    store.find('tokens', query),
    store.find('token-intents', query),
  ]);
  return tokens.total + intents.total === new Set(ids).size;
}
