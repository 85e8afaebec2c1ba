import { applicationHandlers } from './applications/handlers.js';
import type { Handlers } from './handler-types.js';
import { logHandlers } from './logs/handlers.js';
import { permissionHandlers } from './permissions/handlers.js';
import { proxyHandlers } from './proxies/handlers.js';
import { reactorHandlers } from './reactors/handlers.js';
import { tenantHandlers } from './tenants/handlers.js';
import { detokenize } from './tokenize/detokenize.js';
import { tokenize } from './tokenize/tokenize.js';
import { tokenHandlers } from './tokens/handlers.js';
import { usageHandlers } from './usage/handlers.js';
import { webhookHandlers } from './webhooks/handlers.js';

/** The handlers of all operations, composed of one map per resource. */
export const handlers: Handlers = {
  ...tokenHandlers,
  tokenize,
  detokenize,
  ...reactorHandlers,
  ...tenantHandlers,
  ...usageHandlers,
  ...applicationHandlers,
  ...permissionHandlers,
  ...logHandlers,
  ...proxyHandlers,
  ...webhookHandlers,
};
