import { RESOURCES } from '../../../src/contract/resources.js';
import { transformIds } from '../proxy-record.js';
import { assertCodeRoom } from '../resource/code-room.js';
import { crudHandlers } from '../resource/crud.js';
import type { ServedResource } from '../resource/served-resource.js';

const proxy: ServedResource<'proxies'> = {
  row: RESOURCES.proxy,
  assertRoom: assertCodeRoom,
  generate: (_body, _created, { ids }) => ({ stored: { key: ids.secret('proxy') } }),
  /** The next request runs the new transforms. */
  afterChange(record, { sandbox }) {
    for (const id of transformIds(record)) sandbox.retire(id);
  },
};

export const proxyHandlers = crudHandlers(proxy);
