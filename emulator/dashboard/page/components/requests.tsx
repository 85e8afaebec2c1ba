import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { formatClockTime, formatDuration } from '../format.js';
import { useRequests } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';
import { Panel } from './page.js';
import { type Column, TablePanel, type TablePanelProps } from './table.js';
import { Named, RequestLine, Status, Time } from './text.js';

const MAX_ROWS = 20;

/** Rows have no keys: those that newer requests push out become the rows of these, which costs less than new ones. */
export const REQUEST_COLUMNS: readonly Column<RequestEvent>[] = [
  ['Time', 'fit', ({ time }) => <Time value={time} short />],
  [
    'Request',
    'wide',
    ({ method, path, trace_id }) => (
      <RequestLine method={method} path={path} href={hrefTo(['requests', trace_id])} />
    ),
  ],
  ['Status', 'fit', ({ status }) => <Status value={status} />],
  [
    'Application',
    'fit',
    ({ application_id, application_name }) => (
      <Named id={application_id} name={application_name} collection="applications" />
    ),
  ],
  ['ms', 'number', ({ duration_ms }) => duration_ms.toFixed(1)],
];

/** The newest requests of many. */
export const RequestPanel = ({ rows = [], ...panel }: Omit<TablePanelProps<RequestEvent>, 'columns'>) => (
  <TablePanel columns={REQUEST_COLUMNS} {...panel} rows={rows.slice(0, MAX_ROWS)} />
);

const BARS = 48;
const HEIGHT = 24;

function describe(requests: readonly RequestEvent[]): string {
  const durations = requests.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  const p95 = formatDuration(durations[Math.floor(durations.length * 0.95)] ?? 0);
  const failed = requests.filter(({ status }) => status >= 400).length;
  return `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}, ${failed} failed, p95 ${p95}`;
}

/** Recent requests over time, those that failed on top; nothing before the first. */
export function Traffic() {
  const requests = useRequests();
  if (requests.length === 0) return null;
  const times = requests.map(({ time }) => Date.parse(time));
  const last = Math.max(...times);
  const step = Math.max(1_000, (last - Math.min(...times) + 1) / BARS);
  const stepsAgo = ({ time }: RequestEvent) => Math.floor((last - Date.parse(time)) / step);
  const bars = Object.entries(Object.groupBy(requests, stepsAgo));
  const unit = HEIGHT / Math.max(...bars.map(([, { length = 0 } = []]) => length));
  return (
    <Panel title="Traffic" actions={<span class="quiet">{describe(requests)}</span>}>
      <svg
        class="traffic"
        viewBox={`0 0 ${BARS} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Requests over time: ${describe(requests)}`}
      >
        {bars.map(([ago, group = []]) => {
          const height = group.length * unit;
          const failed = group.filter(({ status }) => status >= 400).length * unit;
          const bar = { x: BARS - 1 - Number(ago), width: 0.8 };
          return (
            <g key={ago}>
              <title>{`${formatClockTime(group.at(-1)?.time ?? '')}: ${describe(group)}`}</title>
              <rect {...bar} y={HEIGHT - height} height={height} data-tone="good" />
              <rect {...bar} y={HEIGHT - height} height={failed} data-tone="bad" />
            </g>
          );
        })}
      </svg>
    </Panel>
  );
}
