import type { ComponentChildren } from 'preact';
import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { formatClockTime, formatDuration } from '../format.js';
import { useRequests } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';
import { type Empty, Panel } from './page.js';
import { type Column, Table } from './table.js';
import { Named, RequestLine, Status, Time } from './text.js';

const MAX_ROWS = 200;

const COLUMNS: readonly Column<RequestEvent>[] = [
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

interface RequestPanelProps {
  title: string;
  requests: readonly RequestEvent[];
  /** Left out where there is always a row. */
  empty?: Empty | undefined;
  chip?: string;
  actions?: ComponentChildren;
}

export const RequestPanel = ({ title, requests, empty, chip, actions }: RequestPanelProps) => (
  <Panel title={title} chip={chip} actions={actions}>
    <Table
      label="Requests"
      columns={COLUMNS}
      rows={requests.slice(0, MAX_ROWS)}
      keyOf={({ trace_id, time, method, path }) => `${trace_id} ${time} ${method} ${path}`}
      empty={empty}
    />
  </Panel>
);

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
