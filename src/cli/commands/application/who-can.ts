import { everyItem } from '../../../client/pages.js';
import { PERMISSION_NAMES, type Permission } from '../../../contract/permissions.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { ID_WIDTH } from '../../output/table.js';
import type { View } from '../../output/view.js';
import { toPage } from '../shared/batch.js';
import { type Grant, grantsOf } from './grants.js';

interface WhoCanOptions {
  permission: string;
  tokenType?: string | undefined;
  container?: string[] | undefined;
}

/** Lists the applications that hold a permission, and how they see the data of tokens in the containers. */
export async function run(options: WhoCanOptions, { client, output }: Context): Promise<void> {
  const permission = parsePermission(options.permission);
  const containers = containersOf(options);
  const found = [];
  const fetchPage = (page: number, size: number) =>
    client.call('applications.list', { query: { page, size } });
  for await (const application of everyItem(fetchPage)) {
    const { id, name, type } = application;
    const grants = grantsOf(application, permission, containers);
    if (grants.length > 0) found.push({ id, name, type, grants });
  }
  await output.result(toPage(found), VIEW);
  if (options.tokenType !== undefined && containers) output.notice(`For tokens in ${containers.join(' ')}`);
}

function parsePermission(text: string): Permission {
  const permission = PERMISSION_NAMES.find((name) => name === text);
  if (permission) return permission;
  throw usageError(`Unknown permission: ${text}.`, `Permissions: ${PERMISSION_NAMES.join(', ')}.`);
}

/** Returns the containers of `--container`, or those that tokens of `--token-type` have by default. */
function containersOf({ tokenType, container }: WhoCanOptions): readonly string[] | undefined {
  if (tokenType === undefined) return container;
  if (container) throw usageError('--token-type and --container cannot be used together.');
  const known = TOKEN_TYPE_NAMES.find((name) => name === tokenType);
  if (known) return TOKEN_TYPES[known].containers;
  throw usageError(`--token-type must be one of ${TOKEN_TYPE_NAMES.join(', ')}.`);
}

const show = (text: (grant: Grant) => string) => (grants: unknown) =>
  [...new Set((grants as Grant[]).map(text))].join(', ');

const VIEW: View = {
  redaction: 'plain',
  columns: [
    { title: 'APPLICATION', field: 'name', importance: 5 },
    { title: 'TYPE', field: 'type', importance: 2 },
    { title: 'SHOWS', field: 'grants', show: show(({ transform = '' }) => transform), importance: 4 },
    {
      title: 'GRANTED BY',
      field: 'grants',
      show: show(({ container }) => (container === undefined ? 'permission' : `rule on ${container}`)),
      min: 24,
      importance: 3,
    },
    { title: 'ID', field: 'id', min: ID_WIDTH, importance: 1 },
  ],
  empty: 'No application can.',
};
