import type { ControlBody } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/control-client.js';
import { type Resource, useResource } from './resource.js';
import { useWorkbench } from './workbench.js';

type JournaledRequest = ControlBody<'requests.list'>['requests'][number];

/** Loads the recent requests under a trace ID, with their masked queries and bodies; none without a trace ID. */
export function useJournal(traceId: string | undefined): Resource<JournaledRequest[]> {
  const { tenant } = useWorkbench();
  return useResource(async () => {
    if (traceId === undefined) return [];
    const { requests } = await callControl('requests.list', { tenant: tenant.id });
    return requests.filter(({ trace_id }) => trace_id === traceId);
  }, [traceId]);
}
