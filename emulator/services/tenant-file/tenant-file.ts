import { RESOURCES, type Resource } from '../../../src/contract/resources.js';
import { ConflictError } from '../../store/errors.js';
import type { ApplicationRecord, Records, TenantRecord, TokenRecord } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';
import { TENANT_FILE_FORMAT, tenantFileSchema } from './tenant-file-schema.js';
import { belongsTo, clearTenantChanges } from './tenant-records.js';

/** The collections of a tenant that its file holds. `settings` are what the emulator remembers about it. */
const COLLECTIONS: readonly FileCollection[] = [
  ...Object.values(RESOURCES).map(({ collection }) => collection),
  'tokens',
  'settings',
];

type FileCollection = Resource['collection'] | 'tokens' | 'settings';

type Collections = { [N in FileCollection]: Records[N][] };

/**
 * A whole tenant as one JSON document that can be committed as a fixture: the same tenant results in the same text. Token data
 * and secrets are in plain text. Collections that were added later may be absent.
 */
export type TenantFile = { tenant_file: number; tenant: TenantRecord } & Partial<Collections> &
  Pick<Collections, 'applications' | 'reactors' | 'tokens'>;

export class TenantFileError extends Error {
  override name = 'TenantFileError';
}

/** Returns undefined if there is no such tenant. */
export async function exportTenant(store: Store, tenantId: string): Promise<TenantFile | undefined> {
  const tenants: TenantRecord[] = [];
  const content = Object.fromEntries(COLLECTIONS.map((name) => [name, []])) as unknown as Collections;
  await store.copy(({ insert: name, record }) => {
    if (!belongsTo(record, tenantId)) return;
    if (name === 'tenants') tenants.push(record as TenantRecord);
    else if (name in content) content[name as 'tokens'].push(record as TokenRecord);
  });
  const [tenant] = tenants;
  return tenant && { tenant_file: TENANT_FILE_FORMAT, tenant, ...content };
}

/**
 * Replaces the tenant with the file's id, or creates it; all of it or nothing.
 *
 * @throws TenantFileError the file holds a record twice or a key of another tenant
 */
export async function importTenant(store: Store, file: TenantFile): Promise<void> {
  await assertOwnKeys(store, file);
  const tenantId = file.tenant.id;
  const inserts = COLLECTIONS.flatMap((name) =>
    (file[name] ?? []).map((record) => ({ insert: name, record }) as Change),
  );
  const commit = store.commit([
    ...(await clearTenantChanges(store, tenantId)),
    { insert: 'tenants', record: file.tenant },
    ...inserts,
  ]);
  await commit.catch(refuseDuplicates);
}

/** @throws TenantFileError the file is not valid or has an unknown format */
export function parseTenantFile(value: unknown): TenantFile {
  const [issue] = tenantFileSchema.safeParse(value).error?.issues ?? [];
  if (issue) throw new TenantFileError(`${issue.path.join('.') || 'a tenant file'} ${issue.message}`);
  const file = value as TenantFile;
  for (const name of COLLECTIONS) {
    const records: readonly Records[FileCollection][] = file[name] ?? [];
    if (records.every((record) => belongsTo(record, file.tenant.id))) continue;
    const rule = name === 'settings' ? 'id must end with' : 'tenant_id must be';
    throw new TenantFileError(`${name}: every ${rule} the id of the tenant`);
  }
  return file;
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

const keyHashes = ({ keys = [] }: ApplicationRecord): string[] => keys.map(({ hash }) => hash);

/** What exists already is not of this tenant, of which everything is replaced; or it is in the file twice. */
function refuseDuplicates(error: unknown): never {
  if (!(error instanceof ConflictError)) throw error;
  throw new TenantFileError(`${error.collection}: two records have the same ID`);
}
