import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import { type KeyNeed, withIncluded } from '../../contract/permissions.js';
import type { Application, OperationBody } from '../../contract/schemas/index.js';

export async function readKeyOwner(client: Client, permission: KeyNeed) {
  const { body } = await client.request({ method: 'GET', path: '/applications/key', permission });
  return body as OperationBody<'applications.key'>;
}

/** Collects all permissions of an application, also those limited to containers or included in others. */
export function permissionsOf({
  permissions = [],
  rules = [],
}: Pick<Application, 'permissions' | 'rules'>): Set<string> {
  return new Set(withIncluded([...permissions, ...rules.flatMap((rule) => rule.permissions)]));
}

/** Statuses of a service that does not have an operation, or refuses it to the key. */
export const REFUSALS = [403, 404, 405, 501];

/** Returns undefined for a response with one of these statuses. */
export async function unlessStatus<Result>(
  statuses: readonly number[],
  request: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ServiceError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}
