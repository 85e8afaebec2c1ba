import { RESOURCES } from '../../src/contract/resources.js';
import { applicationHandlers } from './applications/handlers.js';
import { templateHandlers } from './applications/templates.js';
import type { Handlers } from './context.js';
import { documentHandlers } from './documents.js';
import { enrichmentHandlers } from './enrichments.js';
import { keyHandlers } from './keys.js';
import { logHandlers } from './logs.js';
import { checkTransforms } from './proxies/ordered-transforms.js';
import { transformIds } from './proxy-record.js';
import { reactorHandlers } from './reactors/handlers.js';
import { stateOf } from './resource/activation.js';
import { crudHandlers } from './resource/crud.js';
import { assertCodeRoom, type ServedResource } from './resource/served-resource.js';
import { sessionHandlers } from './sessions.js';
import { tenantHandlers } from './tenants.js';
import { tokenIntentHandlers } from './token-intents.js';
import { detokenize } from './tokenize/detokenize.js';
import { tokenize } from './tokenize/tokenize.js';
import { tokenHandlers } from './tokens/handlers.js';
import { webhookHandlers } from './webhooks.js';

const proxy: ServedResource<'proxies'> = {
  row: RESOURCES.proxy,
  check: checkTransforms,
  derive: (record, now, { lenient }) => ({
    ...(lenient || record.activation ? stateOf(record, now) : {}),
    ...(lenient && { application_id: record.application?.id }),
  }),
  isActivated: true,
  assertRoom: assertCodeRoom,
  generate: (_body, _created, { ids }) => ({ stored: { key: ids.secret('proxy') } }),
  /** The next request runs the new transforms. */
  afterChange(record, { sandbox }) {
    for (const id of transformIds(record)) sandbox.retire(id);
  },
};

export const handlers: Handlers = {
  ...tokenHandlers,
  ...tokenIntentHandlers,
  ...sessionHandlers,
  ...keyHandlers,
  ...documentHandlers,
  ...enrichmentHandlers,
  tokenize,
  detokenize,
  ...reactorHandlers,
  ...tenantHandlers,
  ...applicationHandlers,
  ...templateHandlers,
  ...logHandlers,
  ...crudHandlers(proxy),
  ...webhookHandlers,
};
