import type { ReactorTrace, TracedPhases } from '../../../../src/contract/control/traces.js';
import { jsonOf } from '../../../../src/contract/json.js';
import { formatDuration } from '../format.js';
import { Json } from './json.js';
import { Status } from './text.js';

/** The phases of an invocation in their order, and what they are. */
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
export function Waterfall({ trace }: { trace: ReactorTrace }) {
  const bars = barsOf(trace);
  const total = Math.max(
    trace.total_ms ?? 0,
    ...bars.map(({ startMs, durationMs }) => startMs + durationMs),
    0.1,
  );
  return (
    <div class="stack">
      {trace.error && (
        <p class="error">
          {trace.error.name}: {trace.error.message}
        </p>
      )}
      <p class="row">
        {trace.status === undefined ? <span class="quiet">running</span> : <Status value={trace.status} />}
        <span>{trace.total_ms === undefined ? '' : formatDuration(trace.total_ms)}</span>
        {trace.cold !== undefined && <span class="quiet">{trace.cold ? 'cold start' : 'warm instance'}</span>}
        {trace.depth > 0 && <span class="quiet">called by another reactor, depth {trace.depth}</span>}
        {trace.cut && <span class="quiet">entries were left out</span>}
      </p>
      <ol class="waterfall">
        {bars.map(({ name, kind, startMs, durationMs, detail }, index) => (
          <li key={index} data-kind={kind}>
            <span class="name mono">{name}</span>
            <span class="detail">{detail}</span>
            <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                x={(startMs / total) * 1_000}
                width={Math.max((durationMs / total) * 1_000, 3)}
                y="0"
                height="10"
              />
            </svg>
            <span class="number quiet">
              {kind === 'log' ? `at ${formatDuration(startMs)}` : formatDuration(durationMs)}
            </span>
          </li>
        ))}
      </ol>
      {trace.requests.map((request, index) => (
        <details key={index}>
          <summary>
            {request.method} {request.url}: headers and masked bodies
          </summary>
          <Json
            label={`Request ${index + 1}`}
            value={{
              request: { headers: request.request_headers, body: parsed(request.request_body) },
              response: {
                status: request.status,
                headers: request.response_headers,
                body: parsed(request.response_body),
              },
            }}
          />
        </details>
      ))}
    </div>
  );
}

const parsed = (body: string | undefined): unknown =>
  body === undefined ? undefined : (jsonOf(body) ?? body);
