import { APPLICATION_TYPES, type ApplicationType } from './application-types.js';
import { type Noun, RESOURCES, type Resource } from './resources.js';

interface PermissionRow {
  allows: string;
  types: readonly ApplicationType[];
}

const TOKEN_PERMISSIONS = {
  'token:create': { allows: 'create and tokenize tokens', types: ['public', 'private'] },
  'token:read': { allows: 'get and list tokens', types: ['private'] },
  'token:update': { allows: 'update tokens', types: ['public', 'private'] },
  'token:delete': { allows: 'delete tokens', types: ['private'] },
  'token:use': { allows: 'invoke reactors and proxies, and detokenize tokens', types: ['private'] },
  'token:search': { allows: 'search tokens', types: ['private'] },
  'reactor:invoke': {
    allows: 'invoke reactors without token data; token:use includes it',
    types: ['private'],
  },
  'proxy:invoke': { allows: 'use proxies without token data; token:use includes it', types: ['private'] },
  'token-intent:create': { allows: 'create token intents', types: ['public', 'private'] },
  'documents:create': { allows: 'upload documents', types: ['private'] },
  'documents:read': { allows: 'get documents, without their content', types: ['private'] },
  'documents:reveal': { allows: 'download documents', types: ['private'] },
  'documents:delete': { allows: 'delete documents', types: ['private'] },
} as const satisfies Record<string, PermissionRow>;

const TENANT_PERMISSIONS = {
  'tenant:read': { allows: 'get the tenant', types: ['management'] },
  'tenant:update': { allows: 'update the tenant and its settings', types: ['management'] },
  'tenant:delete': { allows: 'delete the tenant', types: ['management'] },
  'report:read': { allows: 'read the usage report', types: ['management'] },
  'log:read': { allows: 'read the audit log', types: ['management'] },
} as const satisfies Record<string, PermissionRow>;

type ResourcePermission = `${Noun}:${'create' | 'read' | 'update' | 'delete'}`;

function permissionsOn({
  noun,
  collection,
  verbs,
  allows = {},
}: Resource): [ResourcePermission, PermissionRow][] {
  const { read = `get and list ${collection}`, update } = allows;
  const changes = verbs.filter((verb) => verb === 'replace' || verb === 'update').join(' and ');
  const types = ['management'] as const;
  return [
    [`${noun}:create`, { allows: `create ${collection}`, types }],
    [`${noun}:read`, { allows: read, types }],
    [`${noun}:update`, { allows: update ?? `${changes} ${collection}`, types }],
    [`${noun}:delete`, { allows: `delete ${collection}`, types }],
  ];
}

const RESOURCE_PERMISSIONS = Object.fromEntries(Object.values(RESOURCES).flatMap(permissionsOn)) as Record<
  ResourcePermission,
  PermissionRow
>;

/** Every permission, what it allows, and which application types may hold it. */
export const PERMISSIONS = { ...TOKEN_PERMISSIONS, ...RESOURCE_PERMISSIONS, ...TENANT_PERMISSIONS };

export type Permission = keyof typeof PERMISSIONS;

/** Permissions that include others; decided, The family as it is today. */
const INCLUDED: Partial<Record<Permission, readonly Permission[]>> = {
  'token:use': ['reactor:invoke', 'proxy:invoke'],
};

export const withIncluded = (permissions: readonly Permission[]): Permission[] =>
  permissions.flatMap((permission) => [permission, ...(INCLUDED[permission] ?? [])]);

/** What an operation asks of a key: a permission, the type of its application, or nothing (`null`). */
export type KeyNeed = Permission | ApplicationType | null;

export const isPermission = (need: KeyNeed): need is Permission => need !== null && need in PERMISSIONS;

export const typesFor = (need: KeyNeed): readonly ApplicationType[] =>
  need === null ? APPLICATION_TYPES : isPermission(need) ? PERMISSIONS[need].types : [need];

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

export function permissionsOfType(type: ApplicationType): Permission[] {
  return PERMISSION_NAMES.filter((name) =>
    (PERMISSIONS[name].types as readonly ApplicationType[]).includes(type),
  );
}

/** How the data of a token is returned to an application: left out, masked, or in full. */
export const TRANSFORMS = ['redact', 'mask', 'reveal'] as const;
export type Transform = (typeof TRANSFORMS)[number];

/** A container with one token of it, to which a rule of a session grants access. No path and no id has a `#`. */
export const containerOfId = (id: string, container = '/'): string => `#${id}${container}`;

export const withoutId = (container: string): string => container.slice(container.indexOf('/'));

/** Lists the containers whose grants cover this one: `/pci/high/` is covered by `/`, `/pci/` and itself. */
export function coveringContainers(container: string): string[] {
  const containers = container.startsWith('#') ? coveringContainers(withoutId(container)) : ['/'];
  for (let end = container.indexOf('/', 1); end > 0; end = container.indexOf('/', end + 1))
    containers.push(container.slice(0, end + 1));
  return containers;
}
