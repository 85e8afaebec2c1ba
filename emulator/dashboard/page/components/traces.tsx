import type { RequestEvent } from '../../../../src/contract/control/events.js';
import type { ReactorTrace, TracedPhases } from '../../../../src/contract/control/traces.js';
import { jsonOf } from '../../../../src/contract/json.js';
import { PROXY_PATH } from '../../../../src/contract/proxies.js';
import { callControl, orIfGone } from '../api/client.js';
import { formatDuration } from '../format.js';
import { type Resource, useResource, useWorkbench } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';
import { Json } from './code.js';
import { Panel } from './page.js';
import { Status } from './text.js';

const ranCode = ({ operation, path }: RequestEvent): boolean =>
  /^reactors\.react/.test(operation ?? '') || path.startsWith(PROXY_PATH);

/** Loads the invocations under the trace ID of requests; none unless one of them ran code. */
export function useTraces(requests: readonly RequestEvent[] = []): Resource<ReactorTrace[]> {
  const traceId = requests.find(ranCode)?.trace_id;
  const { tenant } = useWorkbench();
  const load = async () => {
    if (traceId === undefined) return [];
    const call = callControl('traces.get', { tenant: tenant.id, path: { traceId } });
    return (await orIfGone(call, { traces: [] })).traces;
  };
  return useResource(load, [traceId], (event) => 'trace_id' in event && event.trace_id === traceId);
}

export const Traces = ({ traces }: { traces: readonly ReactorTrace[] }) => (
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

const PHASES: readonly (readonly [keyof TracedPhases, string])[] = [
  ['detokenize', 'read tokens, replace expressions'],
  ['queue', 'wait for an instance'],
  ['load', 'compile the code'],
  ['run', 'run the function'],
  ['tokenize', 'create the tokens of the result'],
];

interface Bar {
  name: string;
  kind: 'phase' | 'request' | 'log';
  startMs: number;
  durationMs: number;
  detail: string;
}

function barsOf({ phases_ms, starts_ms, requests, console: lines, started_at }: ReactorTrace): Bar[] {
  const phases = PHASES.flatMap(([name, detail]): Bar[] => {
    const durationMs = phases_ms[name];
    if (durationMs === undefined) return [];
    return [{ name, kind: 'phase', startMs: starts_ms[name] ?? 0, durationMs, detail }];
  });
  const sent = requests.map(({ method, url, offset_ms, duration_ms, status, error }): Bar => {
    const detail = `${url} → ${status ?? error ?? 'failed'}`;
    return { name: method, kind: 'request', startMs: offset_ms, durationMs: duration_ms, detail };
  });
  const logged = lines.map(({ time, level, message }): Bar => {
    const offset = Math.max(0, Date.parse(time) - Date.parse(started_at));
    return { name: level, kind: 'log', startMs: offset, durationMs: 0, detail: message };
  });
  return [...phases, ...[...sent, ...logged].sort((a, b) => a.startMs - b.startMs)];
}

/** Where the time of an invocation went: its phases, then what it sent and logged, on one scale. */
function Waterfall({ trace }: { trace: ReactorTrace }) {
  const { error, status, total_ms, cold, depth, cut, requests } = trace;
  const bars = barsOf(trace);
  const total = Math.max(total_ms ?? 0, ...bars.map((bar) => bar.startMs + bar.durationMs), 0.1);
  const share = (ms: number) => Math.round((ms / total) * 1_000);
  return (
    <div class="stack">
      {error && (
        <p class="error">
          {error.name}: {error.message}
        </p>
      )}
      <p class="row">
        {status === undefined ? <span class="quiet">running</span> : <Status value={status} />}
        <span>{total_ms === undefined ? '' : formatDuration(total_ms)}</span>
        {cold !== undefined && <span class="quiet">{cold ? 'cold start' : 'warm instance'}</span>}
        {depth > 0 && <span class="quiet">called by another reactor, depth {depth}</span>}
        {cut && <span class="quiet">entries were left out</span>}
      </p>
      <ol class="waterfall">
        {bars.map(({ name, kind, startMs, durationMs, detail }, index) => (
          <li key={index} data-kind={kind}>
            <span class="mono">{name}</span>
            <span class="detail">{detail}</span>
            <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
              <rect x={share(startMs)} width={Math.max(share(durationMs), 3)} height="10" />
            </svg>
            <span class="number quiet">
              {kind === 'log' ? `at ${formatDuration(startMs)}` : formatDuration(durationMs)}
            </span>
          </li>
        ))}
      </ol>
      {requests.map((request, index) => (
        <TracedRequest key={index} name={`Request ${index + 1}`} request={request} />
      ))}
    </div>
  );
}

function TracedRequest({ name, request }: { name: string; request: ReactorTrace['requests'][number] }) {
  const { method, url, status, request_headers, request_body, response_headers, response_body } = request;
  const value = {
    request: { headers: request_headers, body: parsed(request_body) },
    response: { status, headers: response_headers, body: parsed(response_body) },
  };
  return (
    <details>
      <summary>
        {method} {url}: headers and masked bodies
      </summary>
      <Json label={name} value={value} />
    </details>
  );
}

const parsed = (body: string | undefined): unknown =>
  body === undefined ? undefined : (jsonOf(body) ?? body);
