import type { OperationId } from '../../src/contract/operations.js';
import type { Permission } from '../../src/contract/permissions.js';
import type { Condition } from '../store/condition.js';
import type { TokenRecord } from '../store/records.js';

/** What an access check reads of a token; without `id` if the token does not exist yet. */
export type CheckedToken = Pick<TokenRecord, 'containers'> & Partial<Pick<TokenRecord, 'id'>>;

/** A permission that an operation needs; `operation` is absent for a request through a proxy. */
interface OperationCheck {
  scope: 'operation';
  operation?: OperationId;
  permission: Permission;
}

/** A permission on the containers of tokens. */
export interface TokenCheck {
  scope: 'any_container' | 'every_container' | 'response';
  permission: Permission;
  containers: readonly string[];
  /** Some of the tokens. */
  tokenIds: string[];
}

/** Tokens that a list may show. */
export interface ListCheck {
  scope: 'list';
  permission: Permission;
  /** The filters of the request, without what the application may see. */
  filters: readonly Condition<'tokens'>[];
}

/** One question put to the access controls of an application. It holds ids and containers, never data. */
export type AccessCheck = OperationCheck | TokenCheck | ListCheck;
