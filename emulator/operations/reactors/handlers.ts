import { RESOURCES } from '../../../src/contract/resources.js';
import { assertCodeRoom } from '../resource/code-room.js';
import { crudHandlers } from '../resource/crud.js';
import type { ServedResource } from '../resource/served-resource.js';
import { getResult, react, reactAsync } from './react-async.js';

/** Code that does not parse is stored, as the remote service does; invoking it is 422. */
const reactor: ServedResource<'reactors'> = {
  row: RESOURCES.reactor,
  assertRoom: assertCodeRoom,
  /** The next invocation runs the new code. */
  afterChange: ({ id }, { sandbox }) => sandbox.retire(id),
};

export const reactorHandlers = {
  ...crudHandlers(reactor),
  'reactors.react': react,
  'reactors.reactAsync': reactAsync,
  'reactors.result': getResult,
};
