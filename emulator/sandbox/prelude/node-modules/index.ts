import events from 'events';
import type { REACTOR_BUILTINS, REACTOR_PACKAGES } from '../../../../src/contract/reactor-runtime.js';
import { reactorErrors } from '../../runtime/reactor-errors.js';
import { bufferModule } from './buffer.js';
import { createCryptoModule } from './crypto.js';
import { querystringModule } from './querystring.js';
import { createTimersModule, urlModule } from './url.js';
import { createUtilModule } from './util.js';

type Name = (typeof REACTOR_BUILTINS)[number] | (typeof REACTOR_PACKAGES)[number];

/** Creates each module of the contract; undefined marks a bundle, which the host evaluates on demand. */
export const MODULES: Record<Name, ((require: (name: string) => unknown) => unknown) | undefined> = {
  assert: undefined,
  axios: undefined,
  buffer: () => bufferModule,
  crypto: createCryptoModule,
  events: () => events,
  http: undefined,
  https: undefined,
  'node-fetch': undefined,
  path: undefined,
  querystring: () => querystringModule,
  stream: undefined,
  string_decoder: undefined,
  'svc-reactor-errors': () => reactorErrors,
  timers: createTimersModule,
  url: () => urlModule,
  util: createUtilModule,
  uuid: undefined,
  zlib: undefined,
};
