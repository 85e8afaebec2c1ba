import type { Method } from '../operation.js';

/** The path below which an emulator serves its control endpoints. */
export const CONTROL_PREFIX = '/_emulator';

/** One control endpoint of the emulator, as plain data; its schemas are in `schemas.ts`, so that the table needs no zod. */
export interface ControlEndpoint {
  method: Method;
  /** Relative to `CONTROL_PREFIX`, parameters in braces: `/faults/{id}`. */
  path: string;
  summary: string;
  /** The status of success. */
  success: number;
  /** Needs no control token. */
  open?: boolean;
  /** Takes a JSON body. */
  body?: 'json';
  /** Bytes of the body, when it may be larger than that of an operation. */
  bodyLimit?: number;
  /** The response is not JSON. */
  contentType?: 'text/event-stream' | 'text/html';
}

/** Checks the shape of an endpoint and keeps its literal types. */
export function defineEndpoint<const Row extends ControlEndpoint>(row: Row): Row {
  return row;
}
