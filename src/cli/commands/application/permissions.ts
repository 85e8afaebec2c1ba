import { inBackground } from '../../../client/client.js';
import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import { type Permission, type Transform, withIncluded } from '../../../contract/permissions.js';
import type { AccessRule, Application } from '../../../contract/schemas/index.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import { readApplications } from '../../lib/lookup.js';
import type { PlainView } from '../../output/view.js';
import { oneOf, parsePermissions } from '../shared/flag-values.js';

export async function listPermissions(
  { type }: { type?: string | undefined },
  { client, output }: Context,
): Promise<void> {
  const application_type = oneOf(APPLICATION_TYPES, type, '--type');
  const query = application_type === undefined ? {} : { application_type };
  await output.plainList(await client.call('permissions.list', { query }), {
    columns: [
      { title: 'PERMISSION', field: 'type', min: 20, importance: 1 },
      { title: 'ALLOWS TO', field: 'description' },
      { title: 'TYPES', field: 'application_types', format: 'words' },
    ],
  });
}

export async function listTemplates(
  { id }: { id?: string | undefined },
  { client, output }: Context,
): Promise<void> {
  const found = id
    ? [await client.call('applicationTemplates.get', { path: { template_id: id } })]
    : await client.call('applicationTemplates.list');
  await output.plainList(found, {
    columns: [
      { title: 'NAME', field: 'name', importance: 3 },
      { title: 'TYPE', field: 'application_type', importance: 2 },
      { title: 'ID', field: 'id', format: 'id', importance: 1 },
    ],
  });
}

type WhoCanOptions = { permission: string } & Options<'tokenType'> & Options<'container', string[]>;

export async function whoCan(options: WhoCanOptions, { client, output }: Context): Promise<void> {
  const [permission] = parsePermissions([options.permission]) as [Permission];
  const containers = containersOf(options);
  const found = [];
  for (const application of await readApplications(inBackground(client))) {
    const { id, name, type } = application;
    const grants = grantsOf(application, permission, containers);
    if (grants.length > 0) found.push({ id, name, type, grants });
  }
  await output.plainList(found, VIEW);
  if (options.tokenType !== undefined && containers) output.notice(`For tokens in ${containers.join(' ')}`);
}

function containersOf({ tokenType, container }: WhoCanOptions): readonly string[] | undefined {
  if (tokenType === undefined) return container;
  if (container) throw usageError('--token-type and --container cannot be used together.');
  const known = oneOf(TOKEN_TYPE_NAMES, tokenType, '--token-type');
  return known && TOKEN_TYPES[known].containers;
}

const show = (text: (grant: Grant) => string) => (grants: unknown) =>
  [...new Set((grants as Grant[]).map(text))].join(', ');

const VIEW: PlainView = {
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
    { title: 'ID', field: 'id', format: 'id', importance: 1 },
  ],
  empty: 'No application holds it.',
};

export interface Grant {
  /** How token data is shown; absent for what shows none. */
  transform?: Transform;
  /** The container of the rule that grants it; absent for a permission on all tokens. */
  container?: string;
}

const SHOWING = new Set<string>(['token:create', 'token:read', 'token:update', 'token:search', 'token:use']);

/** The first rule by priority that covers one of the containers decides (decisions.md, "Containers and access controls"). */
function grantsOf(
  { permissions, rules = [] }: Pick<Application, 'permissions' | 'rules'>,
  permission: Permission,
  containers: readonly string[] | undefined,
): Grant[] {
  if (permissions) return withIncluded(permissions).includes(permission) ? [tenantWide(permission)] : [];
  const granting = rules
    .filter((rule) => withIncluded(rule.permissions).includes(permission))
    .sort((a, b) => a.priority - b.priority);
  if (containers === undefined) return granting.map(toGrant);
  const covering = granting.filter((rule) => containers.some((container) => covers(rule, container)));
  const coversAll = containers.every((container) => covering.some((rule) => covers(rule, container)));
  if (permission === 'token:use' && !coversAll) return [];
  return covering.slice(0, 1).map(toGrant);
}

function tenantWide(permission: Permission): Grant {
  if (!SHOWING.has(permission)) return {};
  return { transform: permission === 'token:use' ? 'reveal' : 'mask' };
}

const toGrant = ({ container, transform }: AccessRule): Grant => ({ container, transform });

const covers = ({ container }: AccessRule, other: string): boolean =>
  other.toLowerCase().startsWith(container.toLowerCase());
