import type { RequestEvent } from '../../../../src/contract/control/events.js';
import type { ReactorTrace } from '../../../../src/contract/control/traces.js';
import { PROXY_PATH } from '../../../../src/contract/proxies.js';
import { callControl } from '../api/control-client.js';
import { RequestError } from '../api/request-error.js';
import { useReloadOn } from '../hooks/events.js';
import { type Resource, useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';
import { Panel } from './page.js';
import { Waterfall } from './waterfall.js';

export type Trace = ReactorTrace;

/** Whether a request ran the code of a reactor, or the transforms of a proxy. */
const ranCode = ({ operation, path }: RequestEvent): boolean =>
  /^reactors\.react/.test(operation ?? '') || path.startsWith(PROXY_PATH);

async function loadTraces(traceId: string, tenant: string): Promise<Trace[]> {
  try {
    return (await callControl('traces.get', { tenant, path: { traceId } })).traces;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  }
}

/** Loads the invocations under the trace ID of requests; none unless one of them ran code. */
export function useTraces(requests: readonly RequestEvent[] = []): Resource<Trace[]> {
  const traceId = requests.find(ranCode)?.trace_id;
  const { tenant } = useWorkbench();
  const traces = useResource(
    async () => (traceId === undefined ? [] : loadTraces(traceId, tenant.id)),
    [traceId],
  );
  useReloadOn((event) => 'trace_id' in event && event.trace_id === traceId, traces.reload);
  return traces;
}

/** Invocations, each as a waterfall. */
export function Traces({ traces }: { traces: readonly Trace[] }) {
  return (
    <>
      {traces.map((trace, index) => (
        <Panel
          key={index}
          title={traces.length > 1 ? `Invocation ${index + 1} of ${traces.length}` : 'Invocation'}
          actions={<a href={hrefTo(['reactors', trace.reactor_id])}>Reactor</a>}
        >
          <Waterfall trace={trace} />
        </Panel>
      ))}
    </>
  );
}
