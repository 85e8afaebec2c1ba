import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import { callControl } from '../api/control-client.js';
import { useReloadOn } from './events.js';
import { type Resource, useResource } from './resource.js';
import { useWorkbench } from './workbench.js';

/** Loads the recent requests under a trace ID, with their masked content; none without a trace ID. */
export function useJournal(traceId: string | undefined): Resource<JournaledRequest[]> {
  const { tenant } = useWorkbench();
  const journal = useResource(async () => {
    if (traceId === undefined) return [];
    const query = { trace_id: traceId };
    return (await callControl('requests.list', { tenant: tenant.id, query })).requests;
  }, [traceId]);
  useReloadOn((event) => event.kind === 'request' && event.trace_id === traceId, journal.reload);
  return journal;
}
