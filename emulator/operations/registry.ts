import { applicationHandlers } from './applications/handlers.js';
import type { Handlers } from './context.js';
import { logHandlers } from './logs.js';
import { proxyHandlers } from './proxies/handlers.js';
import { reactorHandlers } from './reactors/handlers.js';
import { tenantHandlers } from './tenants.js';
import { detokenize } from './tokenize/detokenize.js';
import { tokenize } from './tokenize/tokenize.js';
import { tokenHandlers } from './tokens/handlers.js';
import { webhookHandlers } from './webhooks.js';

export const handlers: Handlers = {
  ...tokenHandlers,
  tokenize,
  detokenize,
  ...reactorHandlers,
  ...tenantHandlers,
  ...applicationHandlers,
  ...logHandlers,
  ...proxyHandlers,
  ...webhookHandlers,
};
