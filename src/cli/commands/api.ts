import { isObject } from '../../contract/json.js';
import type { Method } from '../../contract/operation-row.js';
import { contentTypeOf } from '../../contract/operation-row.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../contract/operations.js';
import { isProxied } from '../../contract/proxies.js';
import type { Context } from '../command.js';
import type { Options } from '../flags/flag.js';
import { usageError } from '../lib/errors.js';
import { hideDetokenized, type Redaction } from '../output/redact.js';
import { assertDestinationSucceeded, parseHeaders, parseMethod } from './proxy.js';
import { confirmDeletion, confirmRegeneration } from './shared/confirm.js';
import { readJson } from './shared/input.js';
import {
  type ConfirmOption,
  confirmApplicationDeletion,
  confirmOwnKeyEnd,
  confirmOwnRegeneration,
  confirmOwnRestriction,
} from './shared/lock-out.js';
import { confirmTenantDeletion } from './tenant.js';

type ApiOptions = ConfirmOption & { method: string; path: string } & Options<'data'> &
  Options<'header', string[]>;

export async function run(options: ApiOptions, context: Context) {
  const { client, output } = context;
  const method = parseMethod(options.method, '<method>');
  const path = normalizePath(options.path);
  const id = operationOf(method, path);
  const row = id && operationRow(id);
  const data = options.data === undefined ? undefined : await readJson(options.data, '--data', context);
  await confirmLoss(id, { method, path, data, confirm: options.confirm }, context);
  const response = await client.request({
    method,
    path,
    permission: row?.permission ?? (isProxied(path) ? 'token:use' : null),
    body: data === undefined ? undefined : JSON.stringify(data),
    headers: {
      ...(data !== undefined && { 'content-type': contentTypeOf(row ?? {}) }),
      ...(await parseHeaders(options.header ?? [], context)),
    },
  });
  const hidden = id === 'detokenize' && !output.settings.reveal;
  await output.result(hidden ? hideDetokenized(data, response.body) : response.body, {
    redaction: redactionOf(id, path),
  });
  assertDestinationSucceeded(response);
}

async function confirmLoss(
  operation: OperationId | undefined,
  { method, path, data, confirm }: { method: Method; path: string; data: unknown } & ConfirmOption,
  context: Context,
): Promise<void> {
  const [, , id = '', , key_id = ''] = segmentsOf(path).map((segment) => segment.toLowerCase());
  if (operation === 'tenants.delete') return void (await confirmTenantDeletion(confirm, context));
  if (operation === 'applications.update')
    return confirmOwnRestriction(id, isObject(data) ? data : {}, confirm, context);
  if (operation === 'applications.regenerate') {
    if (await confirmOwnRegeneration(id, confirm, context)) return;
    return confirmRegeneration(id, context);
  }
  if (operation === 'applications.delete' && (await confirmApplicationDeletion([id], confirm, context)) > 0)
    return;
  if (operation === 'applications.keys.delete' && (await confirmOwnKeyEnd({ id, key_id }, confirm, context)))
    return;
  if (operation === 'applications.keys.update' && isObject(data) && typeof data.expires_at === 'string')
    return void (await confirmOwnKeyEnd(
      { id, key_id },
      confirm,
      context,
      `at its expiry (${data.expires_at})`,
    ));
  if (method === 'DELETE') await confirmDeletion(path, context);
}

function normalizePath(path: string): string {
  if (/^https?:/.test(path))
    throw usageError(
      '<path> must be relative to the base URL, such as /tokens. Set the base URL with --base-url.',
    );
  return path.startsWith('/') ? path : `/${path}`;
}

/** Finds the operation of a method and path. Literal segments take precedence over parameters. */
function operationOf(method: Method, path: string): OperationId | undefined {
  const segments = segmentsOf(path);
  const matches = OPERATION_IDS.filter((id) => {
    const row = operationRow(id);
    const pattern = row.path.split('/');
    if (row.method !== method || pattern.length !== segments.length) return false;
    return pattern.every((part, index) => part.startsWith('{') || part === segments[index]);
  });
  return matches.find((id) => !operationRow(id).path.includes('{')) ?? matches[0];
}

/** Splits a path without its query. The service ignores a trailing slash. */
const segmentsOf = (path: string): string[] => (path.split('?')[0] ?? '').replace(/\/$/, '').split('/');

function redactionOf(id: OperationId | undefined, path: string): Redaction {
  if (path === '/openapi.json') return 'plain';
  if (id === 'reactors.react') return 'reaction';
  if (id === 'detokenize') return 'plain';
  if (id?.startsWith('tokens.') || id === 'tokenize') return 'tokens';
  return 'anything';
}
