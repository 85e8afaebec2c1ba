/** The application types of the specification (Authentication, rule 4). */
export const APPLICATION_TYPES = ['public', 'private', 'management'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** Every permission, what it allows, and which application types may hold it. */
export const PERMISSIONS = {
  'token:create': { allows: 'create and tokenize tokens', types: ['public', 'private'] },
  'token:read': { allows: 'get and list tokens', types: ['private'] },
  'token:update': { allows: 'update tokens', types: ['public', 'private'] },
  'token:delete': { allows: 'delete tokens', types: ['private'] },
  'token:use': { allows: 'invoke reactors and proxies, and detokenize tokens', types: ['private'] },
  'token:search': { allows: 'search tokens', types: ['private'] },
  'reactor:create': { allows: 'create reactors', types: ['management'] },
  'reactor:read': { allows: 'get and list reactors', types: ['management'] },
  'reactor:update': { allows: 'replace and update reactors', types: ['management'] },
  'reactor:delete': { allows: 'delete reactors', types: ['management'] },
  'tenant:read': { allows: 'get the tenant', types: ['management'] },
  'tenant:update': { allows: 'update the tenant and its settings', types: ['management'] },
  'tenant:delete': { allows: 'delete the tenant', types: ['management'] },
  'report:read': { allows: 'read the usage report', types: ['management'] },
  'application:create': { allows: 'create applications', types: ['management'] },
  'application:read': { allows: 'get and list applications', types: ['management'] },
  'application:update': { allows: 'update applications and regenerate their keys', types: ['management'] },
  'application:delete': { allows: 'delete applications', types: ['management'] },
  'proxy:create': { allows: 'create proxies', types: ['management'] },
  'proxy:read': { allows: 'get and list proxies', types: ['management'] },
  'proxy:update': { allows: 'replace and update proxies', types: ['management'] },
  'proxy:delete': { allows: 'delete proxies', types: ['management'] },
  'webhook:create': { allows: 'create webhooks', types: ['management'] },
  'webhook:read': { allows: 'get and list webhooks and their event types', types: ['management'] },
  'webhook:update': { allows: 'replace and ping webhooks', types: ['management'] },
  'webhook:delete': { allows: 'delete webhooks', types: ['management'] },
  'log:read': { allows: 'read the audit log', types: ['management'] },
} as const satisfies Record<string, { allows: string; types: readonly ApplicationType[] }>;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** Lists the permissions that an application of this type may hold. */
export function permissionsOfType(type: ApplicationType): Permission[] {
  return PERMISSION_NAMES.filter((name) =>
    (PERMISSIONS[name].types as readonly ApplicationType[]).includes(type),
  );
}

/** How the data of a token is returned to an application: left out, masked, or in full. */
export const TRANSFORMS = ['redact', 'mask', 'reveal'] as const;
export type Transform = (typeof TRANSFORMS)[number];
