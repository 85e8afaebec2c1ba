import { ConflictError } from './errors.js';
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
import { belongsTo, clearTenantChanges } from './tenant-records.js';

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
  settings?: SettingRecord[];
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
 * @throws TenantFileError the file is not valid, has an unknown format, or holds a record twice or a key of another tenant
 */
export async function importTenant(store: Store, file: TenantFile): Promise<void> {
  assertTenantFile(file);
  await assertOwnKeys(store, file);
  const tenantId = file.tenant.id;
  const insert = <N extends keyof Records>(name: N, records: Records[N][] = []) =>
    records.map((record) => ({ insert: name, record }) as Change);
  const commit = store.commit([
    ...(await clearTenantChanges(store, tenantId)),
    ...insert('tenants', [file.tenant]),
    ...insert('applications', file.applications),
    ...insert('reactors', file.reactors),
    ...insert('proxies', file.proxies),
    ...insert('webhooks', file.webhooks),
    ...insert('tokens', file.tokens),
    ...insert('settings', file.settings),
  ]);
  await commit.catch(refuseDuplicates);
}

/** A key stands for one tenant: with that of another one, callers of that tenant would work in this one. */
async function assertOwnKeys(store: Store, { tenant, applications }: TenantFile): Promise<void> {
  const hashes = new Set(applications.flatMap(keyHashes));
  const { records } = await store.find('applications', {});
  const isTaken = (one: ApplicationRecord) =>
    one.tenant_id !== tenant.id && keyHashes(one).some((hash) => hashes.has(hash));
  if (records.some(isTaken))
    throw new TenantFileError('applications: one of the keys is that of an application of another tenant');
}

const keyHashes = ({ key_hash, keys = [] }: ApplicationRecord): string[] =>
  [key_hash, ...keys.map(({ hash }) => hash)].filter((hash) => hash !== undefined);

/** What exists already is not of this tenant, of which everything is replaced; or it is in the file twice. */
function refuseDuplicates(error: unknown): never {
  if (!(error instanceof ConflictError)) throw error;
  throw new TenantFileError(`${error.collection}: two records have the same ID`);
}

function assertTenantFile(file: TenantFile): void {
  const [issue] = tenantFileSchema.safeParse(file).error?.issues ?? [];
  if (issue) throw new TenantFileError(`${issue.path.join('.') || 'a tenant file'} ${issue.message}`);
  for (const name of ['applications', 'reactors', 'proxies', 'webhooks', 'tokens'] as const) {
    if (file[name]?.some((record) => record.tenant_id !== file.tenant.id)) {
      throw new TenantFileError(`${name}: every tenant_id must be the id of the tenant`);
    }
  }
  if (file.settings?.some((setting) => !belongsTo(setting, file.tenant.id)))
    throw new TenantFileError('settings: every id must end with the id of the tenant');
}
