import events from 'events';
import { reactorErrors } from '../shared/reactor-errors.js';
import { bufferModule } from './buffer.js';
import { cryptoModule } from './crypto.js';
import { nodeFetchModule } from './fetch/node-fetch.js';
import { querystringModule } from './querystring.js';
import type { ModuleTable } from './require.js';
import { urlModule } from './url-module.js';
import { utilModule } from './util.js';

/** What reactor code may require (decisions.md, "Reactors"). */
export const MODULES: ModuleTable = {
  builtin: {
    buffer: () => bufferModule,
    crypto: () => cryptoModule,
    events: () => events,
    querystring: () => querystringModule,
    url: () => urlModule,
    util: () => utilModule,
  },
  own: {
    'node-fetch': () => nodeFetchModule,
    'svc-reactor-errors': () => reactorErrors,
  },
  bundled: ['axios', 'uuid'],
};
