import { APPLICATION_TYPES, type ApplicationType } from '../../../src/contract/application-types.js';
import type { PerApplication, WorkingCredentials } from '../../../src/contract/control/state-file.js';
import { hashKey, isKeyExpired, keyRecord, keysOf } from '../../access/application-keys.js';
import type { Logger } from '../../lib/logger.js';
import type { TenantClocks } from '../../lib/tenant-clocks.js';
import type { ApplicationRecord, TenantRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import { type AccessByName, type SeedServices, seededApplication } from './seed-tenant.js';

export interface RestoreServices extends SeedServices {
  store: Store;
  clocks: Pick<TenantClocks, 'of'>;
  logger: Pick<Logger, 'warn'>;
}

interface Known {
  /** The keys that were printed; undefined if nothing is known of the tenant. */
  keys: WorkingCredentials['keys'] | undefined;
  /** Ids of the seeded applications, those that were deleted included. */
  applications: PerApplication;
  /** Whether a known key that the application does not have is right, since other processes use it. */
  isTrusted: boolean;
}

/** Values for an application or a key that must be created. */
interface Defaults {
  /** Keys that the user has fixed. */
  keys: Partial<PerApplication>;
  access?: AccessByName | undefined;
}

/** Creates missing seeded applications, and replaces printed keys that no longer work. @returns keys that work */
export async function restoreApplications(
  tenant: TenantRecord,
  known: Known,
  defaults: Defaults,
  services: RestoreServices,
): Promise<PerApplication> {
  const keys: Partial<PerApplication> = {};
  for (const type of APPLICATION_TYPES) keys[type] = await restore(type, tenant, known, defaults, services);
  return keys as PerApplication;
}

async function restore(
  type: ApplicationType,
  tenant: TenantRecord,
  known: Known,
  defaults: Defaults,
  { store, clocks, clock, ids, logger }: RestoreServices,
): Promise<string> {
  const id = known.applications[type];
  const printed = known.keys?.[type];
  const newKey = () => defaults.keys[type] ?? ids.apiKey();
  const application = await store.get('applications', tenant.id, id);
  if (!application) {
    const key = newKey();
    const created = { created_by: tenant.owner_id, created_at: clock.timestamp() };
    const record = seededApplication(type, id, tenant.id, created, key, defaults.access);
    await store.commit([{ insert: 'applications', record }]);
    logger.warn(
      `The application ${type} of the tenant ${tenant.name} was missing. It is back, with a new key.`,
    );
    return key;
  }
  const state = printed === undefined ? 'dead' : stateOf(printed, application, clocks.of(tenant.id).now());
  if (printed !== undefined && (state === 'works' || (state === 'unknown' && known.isTrusted)))
    return printed;
  const key = printed !== undefined && state === 'unknown' ? printed : newKey();
  const first = keyRecord(key, { id, created_by: tenant.owner_id, created_at: clock.timestamp() });
  const others = keysOf(application).filter((other) => other.id !== id);
  await store.commit([{ replace: 'applications', record: { ...application, keys: [first, ...others] } }]);
  if (state === 'dead' && known.keys !== undefined)
    logger.warn(
      `The printed key of the application ${type} of the tenant ${tenant.name} no longer worked. There is a new one.`,
    );
  return key;
}

/** `unknown`: the application was restored, or replaced, without the key. */
function stateOf(key: string, application: ApplicationRecord, now: number): 'works' | 'dead' | 'unknown' {
  const found = keysOf(application).find(({ hash }) => hash === hashKey(key));
  if (!found) return 'unknown';
  return isKeyExpired(found, now) ? 'dead' : 'works';
}
