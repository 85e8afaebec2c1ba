import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { formatClockTime, formatDuration } from '../format.js';
import { useRequests } from '../hooks/emulator.js';
import { Panel } from './page.js';

const BARS = 48;
const HEIGHT = 24;
/** Milliseconds that a bar stands for at least. */
const LEAST_STEP = 1_000;

interface Bar {
  from: number;
  requests: readonly RequestEvent[];
}

/** Splits recent requests into steps of time of one length, the oldest first. */
function toBars(requests: readonly RequestEvent[]): Bar[] {
  const times = requests.map(({ time }) => Date.parse(time));
  const last = Math.max(...times);
  const step = Math.max(LEAST_STEP, (last - Math.min(...times) + 1) / BARS);
  const barOf = ({ time }: RequestEvent) => BARS - 1 - Math.floor((last - Date.parse(time)) / step);
  const groups = Object.groupBy(requests, barOf);
  return Array.from({ length: BARS }, (_, index) => ({
    from: last - (BARS - index) * step,
    requests: groups[index] ?? [],
  }));
}

const countFailed = (requests: readonly RequestEvent[]): number =>
  requests.filter(({ status }) => status >= 400).length;

/** The duration that 95 % of the requests did not exceed. */
function p95(requests: readonly RequestEvent[]): string {
  const durations = requests.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  return formatDuration(durations[Math.floor(durations.length * 0.95)] ?? 0);
}

const describe = (requests: readonly RequestEvent[]): string =>
  `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}, ${countFailed(requests)} failed, p95 ${p95(requests)}`;

/** Recent requests over time, those that failed on top; nothing before the first. */
export function Traffic() {
  const requests = useRequests();
  if (requests.length === 0) return null;
  const bars = toBars(requests);
  const unit = HEIGHT / Math.max(...bars.map(({ requests }) => requests.length));
  return (
    <Panel title="Traffic" actions={<span class="quiet">{describe(requests)}</span>}>
      <svg
        class="traffic"
        viewBox={`0 0 ${BARS} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Requests over time: ${describe(requests)}`}
      >
        {bars.map(({ from, requests }, x) => {
          const failed = countFailed(requests) * unit;
          const succeeded = requests.length * unit - failed;
          return (
            <g key={x}>
              <title>{`${formatClockTime(new Date(from).toISOString())}: ${describe(requests)}`}</title>
              <rect x={x} y={0} width={1} height={HEIGHT} />
              <rect x={x} y={HEIGHT - succeeded} width={0.8} height={succeeded} data-tone="good" />
              <rect x={x} y={HEIGHT - succeeded - failed} width={0.8} height={failed} data-tone="bad" />
            </g>
          );
        })}
      </svg>
    </Panel>
  );
}
