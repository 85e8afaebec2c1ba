import type { Handlers } from './handler.js';
import { applicationHandlers } from './resources/applications/handlers.js';
import { logHandlers } from './resources/logs/handlers.js';
import { permissionHandlers } from './resources/permissions/handlers.js';
import { reactorHandlers } from './resources/reactors/handlers.js';
import { tenantHandlers } from './resources/tenants/handlers.js';
import { tokenizeHandlers } from './resources/tokenize/handlers.js';
import { tokenHandlers } from './resources/tokens/handlers.js';
import { usageHandlers } from './resources/usage/handlers.js';

/** Every operation's handler, composed of one map per resource. */
export const handlers: Handlers = {
  ...tokenHandlers,
  ...tokenizeHandlers,
  ...reactorHandlers,
  ...tenantHandlers,
  ...usageHandlers,
  ...applicationHandlers,
  ...permissionHandlers,
  ...logHandlers,
};
