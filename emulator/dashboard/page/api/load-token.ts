import type { Token } from '../../../../src/contract/schemas/index.js';
import { callControl } from './control-client.js';
import { RequestError } from './request-error.js';

/** Loads a token with masked data. @throws RequestError 404 */
export async function loadToken(tenantId: string, id: string): Promise<Token> {
  const query = `id:${JSON.stringify(id)}`;
  const { data } = await callControl('tenants.tokens', { path: { id: tenantId }, query: { query } });
  if (data[0]) return data[0];
  throw new RequestError(404, 'There is no token with this ID in the tenant.');
}
