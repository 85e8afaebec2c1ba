import { APPLICATION_TYPES } from '../../../src/contract/application-types.js';
import type { PerApplication } from '../../../src/contract/control/state-file.js';
import { mapLeaves } from '../../../src/contract/json.js';
import { RESOURCES } from '../../../src/contract/resources.js';
import type { Ids } from '../../lib/ids.js';
import type { Records } from '../../store/records.js';
import type { Insert, Store } from '../../store/store.js';

type SeededTenant = { tenantId: string; applications: PerApplication };

type CopyServices = { store: Pick<Store, 'find' | 'get'>; ids: Pick<Ids, 'uuid' | 'secret'> };

const COLLECTIONS = Object.values(RESOURCES).map(({ collection }) => collection);
type Kept = Records[(typeof COLLECTIONS)[number]];

/** Returns the changes that create a tenant like another one. Only tokens keep their ids. @param seed creates the tenant */
export async function copyTenant(
  source: SeededTenant,
  target: SeededTenant,
  seed: readonly Insert[],
  { store, ids }: CopyServices,
): Promise<Insert[]> {
  const { tenantId } = source;
  const objects = new Map<string, Insert>();
  // The oldest first, as they were created.
  for (const insert of COLLECTIONS)
    for (const { revision: _, ...record } of (await store.find(insert, { tenantId })).records.reverse())
      objects.set(record.id, { insert, record } as Insert);
  const newIds = new Map([...objects.keys()].map((id) => [id, ids.uuid()]));
  newIds.set(tenantId, target.tenantId);
  for (const type of APPLICATION_TYPES) newIds.set(source.applications[type], target.applications[type]);
  const refer = <Record>(record: Record): Record =>
    mapLeaves(record, (leaf) => newIds.get(leaf as string) ?? leaf) as Record;
  const tenant = await store.get('tenants', tenantId, tenantId);
  const seeded = seed.map((change) => {
    if (change.insert === 'tenants' && tenant)
      return { ...change, record: { ...change.record, ...pick(tenant, ['settings', 'fingerprint_key']) } };
    const type = APPLICATION_TYPES.find((one) => target.applications[one] === change.record.id);
    const own = type && objects.get(source.applications[type]);
    if (!own) return change;
    const { permissions: _permissions, rules: _rules, ...record } = change.record as Records['applications'];
    return {
      ...change,
      record: { ...record, ...pick(own.record as Records['applications'], ['permissions', 'rules']) },
    };
  }) as Insert[];
  for (const id of Object.values(source.applications)) objects.delete(id);
  const copies = [...objects.values()].map(
    ({ insert, record }) =>
      ({ insert, record: { ...refer(record as Kept), ...renewed(insert, ids) } }) as Insert,
  );
  const tokens = (await store.find('tokens', { tenantId })).records.reverse();
  const copyToken = ({ revision: _, id, data, ...token }: (typeof tokens)[number]): Insert => {
    return { insert: 'tokens', record: { ...refer(token), id, data } };
  };
  return [...seeded, ...copies, ...tokens.map(copyToken)];
}

function renewed(collection: Insert['insert'], ids: CopyServices['ids']): object {
  if (collection === 'proxies') return { key: ids.secret('proxy') };
  return collection === 'applications' ? { keys: [] } : {};
}

const pick = <Value extends object>(value: Value, names: readonly (keyof Value)[]): Partial<Value> =>
  Object.fromEntries(
    Object.entries(value).filter(([name]) => names.includes(name as keyof Value)),
  ) as Partial<Value>;
