import type { Method } from '../operation-row.js';

/** The path below which an emulator serves its control endpoints. */
export const CONTROL_PREFIX = '/_emulator';

/** The TCP port of an emulator for which none is chosen, unless another program uses it. */
export const DEFAULT_PORT = 8787;

/** One control endpoint of the emulator, as plain data; its schemas are in `schemas.ts`, so that the table needs no zod. */
export interface ControlEndpoint {
  method: Method;
  /** Relative to `CONTROL_PREFIX`, parameters in braces: `/faults/{id}`. */
  path: string;
  summary: string;
  /** The status of success. */
  success: number;
  /** Also served below `/tenants/{tenantId}`, for one tenant. */
  perTenant?: true;
  /** Needs no control token. */
  open?: boolean;
  /** Answers while the store is away: it neither reads what other processes have changed nor counts for rate limits. */
  probe?: boolean;
  /** Takes a JSON body. */
  body?: 'json';
  /** Bytes of the body, when it is not that of an operation. */
  bodyLimit?: number;
  /** The response is not JSON. */
  contentType?: 'text/event-stream' | 'text/html' | 'text/plain; version=0.0.4; charset=utf-8';
}

/** Checks the shape of an endpoint and keeps its literal types. */
export function defineEndpoint<const Row extends ControlEndpoint>(row: Row): Row {
  return row;
}
