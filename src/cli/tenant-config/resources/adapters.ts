import type { Adapter } from './adapter.js';
import { applicationAdapter } from './application.js';
import type { Contents, Kind } from './content.js';
import type { Field } from './field.js';
import { proxyAdapter } from './proxy.js';
import { reactorAdapter } from './reactor.js';
import { tenantAdapter } from './tenant.js';
import { webhookAdapter } from './webhook.js';

/** The adapter of every kind. A new kind is a row here and in `Contents`. */
export const ADAPTERS: { readonly [K in Kind]: Adapter<K> } = {
  application: applicationAdapter,
  reactor: reactorAdapter,
  proxy: proxyAdapter,
  webhook: webhookAdapter,
  tenant: tenantAdapter,
};

/** Lists the values of an object that plans compare. */
export function listFields<K extends Kind>(kind: K, content: Contents[K]): Field[] {
  return ADAPTERS[kind].fields(content);
}
