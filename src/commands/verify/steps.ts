import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../contract/headers.js';
import type { Method } from '../../contract/operation.js';
import type { Permission } from '../../contract/permissions.js';

/** What the steps before left for those after. */
export type Notes = Record<string, string>;

/** One request, sent to both. */
export interface Step {
  name: string;
  method: Method;
  path: (notes: Notes) => string;
  permission: Permission;
  body?: (notes: Notes) => unknown;
  contentType?: string;
  /** Keeps the id of the answer under this name. */
  keep?: string;
}

const CODE = `module.exports = async ({ args, configuration }) => {
  if (args.fail) throw new Error('refused');
  return { raw: { last4: args.card.number.slice(-4), configured: configuration.A } };
};
`;

const token = (notes: Notes) => `/tokens/${notes.token}`;
const reactor = (notes: Notes) => `/reactors/${notes.reactor}`;

/** The specification's operations on test data of their own, which the last steps delete. */
export const STEPS: readonly Step[] = [
  {
    name: 'create a card',
    method: 'POST',
    path: () => '/tokens',
    permission: 'token:create',
    body: ({ run }) => ({
      type: 'card',
      data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '737' },
      metadata: { tokenctl_verify: run },
    }),
    keep: 'token',
  },
  {
    name: 'refuse a routing number with a wrong checksum',
    method: 'POST',
    path: () => '/tokens',
    permission: 'token:create',
    body: () => ({ type: 'bank', data: { routing_number: '021000022', account_number: '1' } }),
  },
  { name: 'get it', method: 'GET', path: token, permission: 'token:read' },
  {
    name: 'list by metadata, in another case',
    method: 'GET',
    path: ({ run = '' }) => `/tokens?metadata.tokenctl_verify=${run.toUpperCase()}`,
    permission: 'token:read',
  },
  {
    name: 'update it by merge patch',
    method: 'PATCH',
    path: token,
    permission: 'token:update',
    contentType: MERGE_PATCH_CONTENT_TYPE,
    body: () => ({ data: { expiration_year: 2032 }, metadata: { added: 'yes' } }),
  },
  {
    name: 'refuse a patch of another content type',
    method: 'PATCH',
    path: token,
    permission: 'token:update',
    contentType: JSON_CONTENT_TYPE,
    body: () => ({ metadata: {} }),
  },
  {
    name: 'create a reactor',
    method: 'POST',
    path: () => '/reactors',
    permission: 'reactor:create',
    body: ({ run }) => ({ name: `tokenctl-verify-${run}`, code: CODE, configuration: { A: 'b' } }),
    keep: 'reactor',
  },
  { name: 'get the reactor', method: 'GET', path: reactor, permission: 'reactor:read' },
  {
    name: 'invoke it with the card',
    method: 'POST',
    path: (notes) => `${reactor(notes)}/react`,
    permission: 'token:use',
    body: ({ token: id }) => ({ args: { card: `{{ ${id} }}` } }),
  },
  {
    name: 'invoke it so that it fails',
    method: 'POST',
    path: (notes) => `${reactor(notes)}/react`,
    permission: 'token:use',
    body: () => ({ args: { fail: true } }),
  },
  {
    name: 'update the reactor',
    method: 'PATCH',
    path: reactor,
    permission: 'reactor:update',
    contentType: MERGE_PATCH_CONTENT_TYPE,
    body: () => ({ configuration: { A: 'c' } }),
  },
  {
    name: 'get the usage report',
    method: 'GET',
    path: () => '/tenants/self/reports/usage',
    permission: 'report:read',
  },
  { name: 'delete the reactor', method: 'DELETE', path: reactor, permission: 'reactor:delete' },
  { name: 'delete the card', method: 'DELETE', path: token, permission: 'token:delete' },
  { name: 'get the card that is gone', method: 'GET', path: token, permission: 'token:read' },
];
