import type { ReactorTrace } from '../../../../src/contract/control/traces.js';
import { callControl } from '../api/control-client.js';
import { RequestError } from '../api/request-error.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';
import { Panel } from './page.js';
import { Loaded } from './states.js';
import { Waterfall } from './waterfall.js';

async function loadTraces(traceId: string, tenantId: string): Promise<ReactorTrace[]> {
  try {
    return (await callControl('traces.get', { tenant: tenantId, path: { traceId } })).traces;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  }
}

/** The invocations under a trace ID, each as a waterfall; nothing if there are none. */
export function Traces({ traceId }: { traceId: string }) {
  const { tenant } = useWorkbench();
  const traces = useResource(() => loadTraces(traceId, tenant.id), [traceId]);
  useReloadOn((event) => 'trace_id' in event && event.trace_id === traceId, traces.reload);
  return (
    <Loaded resource={traces}>
      {(found) =>
        found.map((trace, index) => (
          <Panel
            key={index}
            title={found.length > 1 ? `Invocation ${index + 1} of ${found.length}` : 'Invocation'}
            actions={<a href={hrefTo(['reactors', trace.reactor_id])}>Reactor</a>}
          >
            <Waterfall trace={trace} />
          </Panel>
        ))
      }
    </Loaded>
  );
}
