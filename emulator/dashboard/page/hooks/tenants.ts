import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { callControl, SignInError } from '../api/control-client.js';
import type { EventLog } from '../api/event-log.js';
import { RequestError } from '../api/request-error.js';
import { ServiceClient } from '../api/service-client.js';
import { getChosenTenant, setChosenTenant } from '../api/session.js';
import type { TenantName } from './workbench.js';

interface LoadedTenants {
  names: TenantName[];
  clients: ReadonlyMap<string, ServiceClient>;
}

export interface Tenants {
  /** Absent until they are loaded. */
  names: TenantName[] | undefined;
  tenant: TenantName | undefined;
  /** Absent when the keys of the tenant are not known. */
  service: ServiceClient | undefined;
  select: (id: string) => void;
  reload: () => void;
}

async function loadTenants(): Promise<LoadedTenants> {
  const [overview, { tenants }] = await Promise.all([
    callControl('overview').catch((error) => {
      // The last tenant was deleted.
      if (error instanceof RequestError && error.status === 404) return undefined;
      throw error;
    }),
    callControl('tenants.list'),
  ]);
  const prefix = overview?.header_prefix ?? '';
  const clients = tenants.map(({ tenant_id, keys }) => [tenant_id, new ServiceClient(keys, prefix)] as const);
  return { names: overview?.tenants ?? [], clients: new Map(clients) };
}

/** Loads the tenants of the emulator, again when events show that there may be others, and remembers the chosen one. */
export function useTenants(log: EventLog, connection: number, signIn: (reason: string) => void): Tenants {
  const [loaded, setLoaded] = useState<LoadedTenants | undefined>();
  const [chosen, setChosen] = useState(getChosenTenant);

  const reload = useCallback(() => {
    loadTenants().then(setLoaded, (error) => error instanceof SignInError && signIn(error.message));
  }, [signIn]);

  useEffect(() => {
    if (connection > 0) reload();
  }, [connection, reload]);

  useEffect(() => {
    const known = new Set(loaded?.names.map(({ id }) => id));
    return log.subscribe((events) => {
      const isStale = events.some((event) =>
        'tenant_id' in event
          ? event.tenant_id !== undefined && !known.has(event.tenant_id)
          : event.kind === 'reset' || event.kind === 'snapshot',
      );
      if (isStale) reload();
    });
  }, [log, loaded, reload]);

  const select = useCallback((id: string) => {
    setChosenTenant(id);
    setChosen(id);
  }, []);

  return useMemo(() => {
    const tenant = loaded?.names.find(({ id }) => id === chosen) ?? loaded?.names[0];
    return {
      names: loaded?.names,
      tenant,
      service: tenant && loaded?.clients.get(tenant.id),
      select,
      reload,
    };
  }, [loaded, chosen, select, reload]);
}
