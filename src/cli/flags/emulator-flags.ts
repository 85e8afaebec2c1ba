import { OPERATION_IDS } from '../../contract/operations.js';
import type { Flags, FlagValues } from './flag.js';

export const NEWEST_FLAG = {
  value: 'N',
  integer: true,
  minimum: 1,
  description: 'only the newest N; 20 by default where they are shown as text',
} as const;

export const TENANT_FLAG = {
  value: 'ID',
  description: 'only this tenant, instead of the whole emulator',
} as const;

export const FAULT_FLAGS = {
  operation: {
    value: 'ID',
    suggest: OPERATION_IDS,
    description: 'only requests for this operation, such as tokens.get',
  },
  method: {
    value: 'METHOD',
    suggest: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    description: 'only requests with this method',
  },
  path: { value: 'PREFIX', description: 'only requests whose path has this prefix' },
  status: { value: 'N', integer: true, description: 'respond with this status, 400 to 599' },
  latency: { value: 'DURATION', description: 'delay before the response, such as 500ms or 2s' },
  reset: { description: 'close the connection without a response' },
  activation: {
    description:
      'delay (--latency) or fail (--status) the activation of a new reactor or proxy, not the response',
  },
  retryAfter: {
    value: 'SECONDS',
    integer: true,
    description: 'with --status: value of the Retry-After header',
  },
  times: {
    value: 'N',
    integer: true,
    description: 'remove the fault after this many requests; unlimited by default',
  },
  rate: { value: 'SHARE', description: 'share of requests that fail, above 0 up to 1' },
  tenant: TENANT_FLAG,
} as const satisfies Flags;

export type FaultOptions = FlagValues<typeof FAULT_FLAGS>;

export const EXPECTATION_FLAGS = {
  operation: {
    value: 'ID',
    suggest: OPERATION_IDS,
    description: 'operation of the requests, such as reactors.react',
  },
  method: { value: 'METHOD', description: 'method of the requests' },
  path: { value: 'PATH', description: 'whole path of the requests, without query' },
  status: { value: 'N', integer: true, description: 'status of the responses' },
  application: { value: 'APPLICATION', description: 'application that sent them, by ID or exact name' },
  body: {
    value: 'JSON',
    description: 'what the request bodies must contain: JSON, @file, or - for standard input',
  },
  times: { value: 'N', integer: true, description: 'how many match; one or more by default' },
  tenant: TENANT_FLAG,
} as const satisfies Flags;

export type ExpectationOptions = FlagValues<typeof EXPECTATION_FLAGS>;
