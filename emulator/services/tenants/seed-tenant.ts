import { APPLICATION_TYPES, type ApplicationType } from '../../../src/contract/application-types.js';
import type {
  Credentials,
  PerApplication,
  WorkingCredentials,
} from '../../../src/contract/control/state-file.js';
import { type Permission, permissionsOfType } from '../../../src/contract/permissions.js';
import { keyRecord } from '../../access/application-keys.js';
import type { Clock } from '../../lib/clock.js';
import type { Ids } from '../../lib/ids.js';
import { StartError } from '../../lib/start-error.js';
import type { ApplicationRecord, TenantRecord } from '../../store/records.js';
import type { Insert } from '../../store/store.js';

export interface TenantOptions {
  name: string;
  tenantId?: string;
  keys?: WorkingCredentials['keys'];
  webhookSecret?: string;
  access?: AccessByName | undefined;
}

type Access = Pick<ApplicationRecord, 'permissions' | 'rules'>;

/** What seeded applications may do in place of the usual, by name. */
export type AccessByName = ReadonlyMap<string, Access>;

/** Id of the setting that holds the ids of a tenant's seeded applications. */
export const settingId = (tenantId: string) => `seeded:${tenantId}`;

export type SeedServices = { ids: Ids; clock: Pick<Clock, 'timestamp'> };

/** Access of each seeded application; cli.md, "emulator start". */
const ACCESS: Record<ApplicationType, Access> = {
  management: { permissions: permissionsOfType('management') },
  private: {
    rules: [
      {
        description: 'All tokens, whole',
        priority: 1,
        container: '/',
        transform: 'reveal',
        permissions: permissionsOfType('private'),
      },
    ],
  },
  public: { permissions: ['token:create', 'token:update', 'token-intent:create'] satisfies Permission[] },
};

function perApplication(value: (type: ApplicationType) => string): PerApplication {
  return Object.fromEntries(APPLICATION_TYPES.map((type) => [type, value(type)])) as PerApplication;
}

/** Builds one of the applications that a tenant is created with. @param access of those that do not have the usual one */
export function seededApplication(
  type: ApplicationType,
  id: string,
  tenant_id: string,
  created: Pick<ApplicationRecord, 'created_by' | 'created_at'>,
  key: string,
  access?: AccessByName,
): ApplicationRecord {
  const granted = access?.get(type) ?? ACCESS[type];
  const keys = [keyRecord(key, { id, ...created })];
  return { id, tenant_id, name: type, type, ...granted, ...created, keys };
}

/** A new tenant, as changes for the caller to commit. */
export interface SeededTenant {
  credentials: Credentials;
  applications: PerApplication;
  changes: Insert[];
}

export function seedTenant(options: TenantOptions, { ids, clock }: SeedServices): SeededTenant {
  const created_at = clock.timestamp();
  const owner_id = ids.uuid();
  const created = { created_by: owner_id, created_at };
  const tenant: TenantRecord = {
    id: options.tenantId ?? ids.uuid(),
    owner_id,
    name: options.name,
    settings: { fingerprint_tokens: 'true', deduplicate_tokens: 'false' },
    fingerprint_key: ids.bytes(32).toString('base64'),
    webhook_secret: options.webhookSecret ?? ids.secret('whsec'),
    ...created,
  };
  const keys = perApplication((type) => options.keys?.[type] ?? ids.apiKey());
  const applications = perApplication(() => ids.uuid());
  const records = APPLICATION_TYPES.map((type) =>
    seededApplication(type, applications[type], tenant.id, created, keys[type], options.access),
  );
  return {
    credentials: { tenant_id: tenant.id, keys, webhook_secret: tenant.webhook_secret },
    applications,
    changes: [
      { insert: 'tenants', record: tenant },
      ...records.map((record) => ({ insert: 'applications', record }) as const),
      { insert: 'settings', record: { id: settingId(tenant.id), value: applications } },
    ],
  };
}

/** Characters that an HTTP header transmits unchanged. */
const HEADER_SAFE = /^[!-~]+$/;

/** Checks the fixed keys of the seeded applications. @throws StartError, whose message names the application, never the key */
export function checkKeys(keys: Partial<PerApplication>): void {
  const owners = new Map<string, string>();
  for (const [type, key] of Object.entries(keys)) {
    if (!HEADER_SAFE.test(key))
      throw invalidKey(`The ${type} key must be printable ASCII characters without spaces.`);
    const other = owners.get(key);
    if (other) throw invalidKey(`The ${other} key and the ${type} key must differ.`);
    owners.set(key, type);
  }
}

const invalidKey = (message: string) => new StartError('invalid_api_key', message);
