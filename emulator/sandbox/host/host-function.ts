import type { Json } from '../../../src/contract/json.js';

/**
 * A function of the host that answers the guest synchronously: JSON and bytes in, JSON or bytes out.
 * @throws VisibleError if the reactor code passed an invalid argument
 */
export type HostFunction = (input: Json, bytes?: Uint8Array) => Json | Uint8Array;
