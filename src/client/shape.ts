import { isObject } from '../contract/json.js';
import type { OperationRow } from '../contract/operation-row.js';
import { ProtocolError } from './errors.js';
import type { ClientResponse } from './response.js';

/**
 * Checks what every caller relies on: that a body is an object, or a list or page of items. A body that the contract does not
 * have is read by nobody, and the operation has been carried out.
 * @throws {ProtocolError} that names the first property of another type
 */
export function assertShape(row: OperationRow, { body }: ClientResponse, url: string): void {
  if (body === undefined || row.success.every((status) => status === 204)) return;
  const fault = faultOf(row, body);
  if (fault !== undefined)
    throw new ProtocolError(`${url} responded to ${row.method} ${row.path} with a body ${fault}.`);
}

function faultOf({ returns = 'object' }: OperationRow, body: unknown): string | undefined {
  if (returns === 'any') return undefined;
  if (returns === 'list') return Array.isArray(body) ? undefined : 'that is not a list';
  if (!isObject(body)) return 'that is not an object';
  if (returns === 'object') return undefined;
  const { data, pagination } = body;
  if (!Array.isArray(data)) return 'whose data is not a list';
  const index = data.findIndex((item) => !isObject(item) || typeof item.id !== 'string');
  if (index >= 0) return `whose data.${index}.id is not a string`;
  if (!isObject(pagination)) return 'whose pagination is not an object';
  if (returns === 'page' && typeof pagination.total_items !== 'number')
    return 'whose pagination.total_items is not a number';
  return undefined;
}
