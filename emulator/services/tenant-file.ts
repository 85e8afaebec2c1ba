import * as z from 'zod';
import { operationOf } from '../../src/contract/operations.js';
import { type Noun, RESOURCES, type Resource } from '../../src/contract/resources.js';
import { operationSchemas } from '../../src/contract/schemas/index.js';
import { tenantSettings } from '../../src/contract/schemas/tenants.js';
import { tokenDataSchemas } from '../../src/contract/schemas/token-data.js';
import { createToken, isTokenId, TOKEN_ID_RULE } from '../../src/contract/schemas/tokens.js';
import { TOKEN_TYPE_NAMES } from '../../src/contract/token-types.js';
import { fieldErrors } from '../../src/contract/validation.js';
import { assertStructure, ExpressionError, type Json } from '../expressions/index.js';
import { forEachYielding } from '../lib/turns.js';
import { ConflictError } from '../store/errors.js';
import type { ApplicationRecord, Records, TenantRecord, TokenRecord } from '../store/records.js';
import type { Change, Store } from '../store/store.js';
import { belongsTo, clearTenantChanges } from './snapshots.js';

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

/** Replaces the tenant with the file's id, or creates it; all or nothing. @throws TenantFileError for a duplicate */
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

const MASK_SCOPE = { data: undefined };
const FINGERPRINT_SCOPE = { data: undefined, metadata: undefined };

/** Checks the expressions of tokens without evaluating them: the data may have changed since. @throws TenantFileError */
export async function assertTenantFileExpressions({ tokens }: TenantFile): Promise<void> {
  await forEachYielding(tokens.entries(), ([index, token]) => {
    const { mask, search_indexes = [], fingerprint_expression = '' } = token;
    try {
      if (mask !== undefined) assertStructure(mask as Json, MASK_SCOPE, `tokens.${index}.mask`);
      assertStructure(search_indexes, MASK_SCOPE, `tokens.${index}.search_indexes`);
      const path = `tokens.${index}.fingerprint_expression`;
      assertStructure(fingerprint_expression, FINGERPRINT_SCOPE, path);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const [[at, messages] = []] = Object.entries(error.errors);
      throw new TenantFileError(`${at} ${messages?.[0]}`);
    }
  });
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

const TENANT_FILE_FORMAT = 1;

const text = z.string('must be a string');
const time = text.refine(
  (value) => !Number.isNaN(Date.parse(value)),
  'must be a timestamp as the API formats it',
);
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item, 'must be an array');

const record = z.looseObject(
  { id: text, created_at: time, created_by: text.optional(), modified_by: text.optional() },
  'must be an object',
);
const owned = record.extend({ tenant_id: text });

/** What the service adds to a tenant. The secret is absent from early files. */
const tenant = record.extend({
  name: text,
  settings: tenantSettings,
  fingerprint_key: text.min(1, 'must not be empty'),
  webhook_secret: text.optional(),
});

const ADDED: { readonly [N in Noun]?: z.ZodRawShape } = {
  application: {
    keys: listOf(z.looseObject({ id: text, hash: text, expires_at: time.optional() })).optional(),
  },
  proxy: { key: text },
};

/** Early files have no other collections. */
const ALWAYS: readonly Noun[] = ['application', 'reactor'];

const bodyOf = (row: Resource) => operationSchemas(operationOf(row, 'create')).body as z.ZodObject;

const resources = Object.values(RESOURCES).map((row) => {
  const records = listOf(acceptedBy(bodyOf(row), owned.extend(ADDED[row.noun] ?? {})));
  return [row.collection, ALWAYS.includes(row.noun) ? records : records.optional()];
});

const token = owned.extend({
  id: text.refine(isTokenId, `must be ${TOKEN_ID_RULE}`),
  type: z.enum(TOKEN_TYPE_NAMES, `must be one of ${TOKEN_TYPE_NAMES.join(', ')}`),
  containers: listOf(text),
  search_values: listOf(text).optional(),
  fingerprint: text.optional(),
  modified_at: time.optional(),
  expires_at: time.optional(),
  cvc_expires_at: time.optional(),
  creation_order: z.number().optional(),
});

/** Checks what a record has from the request that created it: the file may hold what the service would have accepted. */
function acceptedBy<Schema extends z.ZodType<object>>(body: z.ZodObject, schema: Schema) {
  const fields = Object.keys(body.shape);
  return schema.superRefine((value: object, context) => {
    const given = Object.entries(value).filter(([name]) => fields.includes(name));
    addErrors(context, body.safeParse(Object.fromEntries(given)));
  });
}

function addErrors(context: z.core.$RefinementCtx, { error }: z.ZodSafeParseResult<unknown>, path = '') {
  const errors = error ? fieldErrors(error) : {};
  for (const [name, messages] of Object.entries(errors))
    for (const message of messages)
      context.addIssue({ code: 'custom', path: [...(path ? [path] : []), ...(name ? [name] : [])], message });
}

/** What the service could not read or change again if it were stored. */
const tenantFileSchema = z.looseObject(
  {
    tenant_file: z.literal(TENANT_FILE_FORMAT, `must be ${TENANT_FILE_FORMAT}`),
    tenant,
    ...Object.fromEntries(resources),
    tokens: listOf(
      acceptedBy(createToken, token).superRefine(({ type, data }, context) =>
        addErrors(context, tokenDataSchemas[type].safeParse(data), 'data'),
      ),
    ),
    settings: listOf(z.looseObject({ id: text }, 'must be an object')).optional(),
  },
  'must be an object',
);
