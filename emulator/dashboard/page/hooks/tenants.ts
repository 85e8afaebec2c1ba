import pLimit from 'p-limit';
import { useEffect, useState } from 'preact/hooks';
import { callControl, orIfGone, ServiceClient } from '../api/client.js';
import { subscribe } from '../api/events.js';

const TENANT_KEY = 'tokenctl.tenant';

/** One load at a time; those that are asked for during it share the next one. */
const inTurn = pLimit(1);

export type Tenants = ReturnType<typeof useTenants>;

async function loadTenants() {
  const [overview, { tenants }] = await Promise.all([
    // It is gone once the last tenant was deleted.
    orIfGone(callControl('overview'), undefined),
    callControl('tenants.list'),
  ]);
  const prefix = overview?.header_prefix ?? '';
  const clients = tenants.map(({ tenant_id, keys }) => [tenant_id, new ServiceClient(keys, prefix)] as const);
  return { names: overview?.tenants ?? [], clients: new Map(clients) };
}

/** Loads the tenants of the emulator, again when events show that there may be others, and remembers the chosen one. */
export function useTenants() {
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadTenants>>>();
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(TENANT_KEY));

  const reload = () => {
    inTurn.clearQueue();
    // A failure shows in the state of the connection.
    void inTurn(loadTenants).then(setLoaded, () => {});
  };

  useEffect(() => {
    const known = new Set(loaded?.names.map(({ id }) => id));
    return subscribe((events) => {
      // There are none once the connection is open, also for the first time: what is loaded then, no event before it changed.
      const isStale =
        events.length === 0 ||
        events.some((event) =>
          'tenant_id' in event
            ? event.tenant_id !== undefined && !known.has(event.tenant_id)
            : event.kind === 'reset' || event.kind === 'snapshot',
        );
      if (isStale) reload();
    });
  }, [loaded]);

  const tenant = loaded?.names.find(({ id }) => id === chosen) ?? loaded?.names[0];
  const select = (id: string) => {
    sessionStorage.setItem(TENANT_KEY, id);
    setChosen(id);
  };
  // Without a service, the keys of the tenant are not known.
  const service = tenant && loaded?.clients.get(tenant.id);
  return { names: loaded?.names, tenant, service, select, reload };
}
