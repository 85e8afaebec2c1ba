import type {
  ApplicationRecord,
  ProxyRecord,
  ReactorRecord,
  Records,
  SettingRecord,
  TenantRecord,
  TokenRecord,
  WebhookRecord,
} from './records.js';
import type { Change, Store } from './store.js';
import { TENANT_FILE_FORMAT, tenantFileSchema } from './tenant-file-schema.js';

/**
 * A whole tenant as one JSON document that can be committed as a fixture: the same tenant results in the same text. Token data
 * and secrets are in plain text.
 */
export interface TenantFile {
  tenant_file: number;
  tenant: TenantRecord;
  applications: ApplicationRecord[];
  reactors: ReactorRecord[];
  /** Absent from files of earlier versions. */
  proxies?: ProxyRecord[];
  webhooks?: WebhookRecord[];
  tokens: TokenRecord[];
  /** What the emulator remembers about the tenant. */
  settings: SettingRecord[];
}

export class TenantFileError extends Error {
  override name = 'TenantFileError';
}

/** Returns undefined if there is no such tenant. */
export async function exportTenant(store: Store, tenantId: string): Promise<TenantFile | undefined> {
  const parts: Pick<TenantFile, 'applications' | 'reactors' | 'tokens' | 'settings'> & {
    proxies: ProxyRecord[];
    webhooks: WebhookRecord[];
    tenants: TenantRecord[];
  } = {
    tenants: [],
    applications: [],
    reactors: [],
    proxies: [],
    webhooks: [],
    tokens: [],
    settings: [],
  };
  await store.copy(({ insert: name, record }) => {
    if (name in parts && belongsTo(record, tenantId)) parts[name as 'tokens'].push(record as TokenRecord);
  });
  const { tenants, ...rest } = parts;
  const [tenant] = tenants;
  return tenant && { tenant_file: TENANT_FILE_FORMAT, tenant, ...rest };
}

/**
 * Replaces the tenant with the file's id, or creates it; all of it or nothing.
 *
 * @throws TenantFileError the file is not valid, or has an unknown format
 */
export async function importTenant(store: Store, file: TenantFile): Promise<void> {
  assertTenantFile(file);
  const tenantId = file.tenant.id;
  const insert = <N extends keyof Records>(name: N, records: Records[N][] = []) =>
    records.map((record) => ({ insert: name, record }) as Change);
  const known = (await store.find('settings', {})).records.filter((setting) => belongsTo(setting, tenantId));
  await store.commit([
    { clear: 'tenant', tenantId },
    ...known.map(({ id }): Change => ({ remove: 'settings', tenantId: '', id })),
    ...insert('tenants', [file.tenant]),
    ...insert('applications', file.applications),
    ...insert('reactors', file.reactors),
    ...insert('proxies', file.proxies),
    ...insert('webhooks', file.webhooks),
    ...insert('tokens', file.tokens),
    ...insert('settings', file.settings),
  ]);
}

function assertTenantFile(file: TenantFile): void {
  const [issue] = tenantFileSchema.safeParse(file).error?.issues ?? [];
  if (issue) throw new TenantFileError(`${issue.path.join('.') || 'a tenant file'} ${issue.message}`);
  for (const name of ['applications', 'reactors', 'proxies', 'webhooks', 'tokens'] as const) {
    if (!file[name]?.every((record) => record.tenant_id === file.tenant.id)) {
      throw new TenantFileError(`${name}: every tenant_id must be the id of the tenant`);
    }
  }
}

/** A setting of a tenant has the tenant's id in its name. */
function belongsTo(record: Records[keyof Records], tenantId: string): boolean {
  if ('tenant_id' in record) return record.tenant_id === tenantId;
  return record.id === tenantId || record.id.endsWith(`:${tenantId}`);
}
