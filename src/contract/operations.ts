import { applicationOperations } from './applications.js';
import { familyOperations } from './family.js';
import type { OperationRow } from './operation-row.js';
import { proxyOperations } from './proxies.js';
import { reactorOperations } from './reactors.js';
import type { Resource, Verb } from './resources.js';
import { tenantOperations } from './tenants.js';
import { tokenOperations } from './tokens.js';
import { webhookOperations } from './webhooks.js';

/** The table of the service's operations. The emulator serves it, the client calls it, everything else reads it. */
export const operations = {
  ...tokenOperations,
  ...familyOperations,
  ...reactorOperations,
  ...tenantOperations,
  ...applicationOperations,
  ...proxyOperations,
  ...webhookOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;

export const OPERATION_IDS = Object.keys(operations) as OperationId[];

export const operationRow = (id: OperationId): OperationRow => operations[id];

export const operationOf = ({ collection }: Resource, verb: Verb): OperationId =>
  `${collection}.${verb}` as OperationId;

export const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
