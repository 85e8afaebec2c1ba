import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import type { Overview as OverviewData } from '../../../../src/contract/control/schemas.js';
import { reasonOf } from '../api/client.js';
import { Page, Panel, Skeleton } from '../components/page.js';
import { RequestPanel, Traffic } from '../components/requests.js';
import { Connect } from '../components/snippets.js';
import { type Column, TablePanel } from '../components/table.js';
import { RequestLine, Status } from '../components/text.js';
import { formatNumber } from '../format.js';
import { useClock } from '../hooks/clock.js';
import { usePendingDeliveries } from '../hooks/deliveries.js';
import { changesData, useControl, useRequests, useWorkbench } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';

const SHOWN = 8;

export function Overview() {
  const { tenant, service } = useWorkbench();
  const overview = useControl(
    'overview',
    { query: { tenant: tenant.id } },
    (event) => changesData(event) || event.kind === 'request',
  );
  return (
    <Page title="Overview" summary={tenant.name}>
      <Figures overview={overview.value} />
      <div class="columns">
        <div class="stack">
          <Traffic />
          <Failures />
          <RequestPanel
            title="Requests"
            links={<a href="#/requests">All requests</a>}
            rows={useRequests().slice(0, SHOWN)}
            empty={{
              command: `tokenctl token create --type token --data '"hello"'`,
              children: 'Requests of clients appear here as they happen.',
            }}
          />
        </div>
        <div class="stack">
          {service && <Connect />}
          <Panel title="Usage" resource={overview}>
            {({ usage }) => <Usage report={usage} />}
          </Panel>
        </div>
      </div>
    </Page>
  );
}

function Figures({ overview }: { overview: OverviewData | undefined }) {
  const { tokens, usage } = overview ?? {};
  const requests = useRequests();
  const pending = usePendingDeliveries();
  const failed = requests.filter(({ status }) => status >= 400);
  const figures = [
    ['Tokens', '#/tokens', tokens],
    ['Active this month', '#/tenant', usage?.monthly_active_tokens],
    ['Requests seen', '#/requests', overview && requests.length],
    ['Failed', '#/requests?status=failed', overview && failed.length],
    ['Pending deliveries', '#/webhooks', overview && pending.length],
  ] as const;
  return (
    <dl class="panel figures" aria-label="Figures">
      {figures.map(([name, href, value]) => (
        <div key={name}>
          <dt>
            <a href={href}>{name}</a>
          </dt>
          <dd>{value === undefined ? <Skeleton lines={1} /> : formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Failure {
  cause: string;
  last: JournaledRequest;
  count: number;
  applications: ReadonlySet<string>;
}

const hrefToAll = ({ operation, path, status }: JournaledRequest): string =>
  hrefTo(['requests'], { status: 'failed', find: `${operation ?? path} ${status}` });

const FAILURE_COLUMNS: readonly Column<Failure>[] = [
  ['Cause', 'wide', ({ cause, last }) => <a href={hrefTo(['requests', last.trace_id])}>{cause}</a>],
  ['Request', 'wide', ({ last: { method, path } }) => <RequestLine method={method} path={path} />],
  ['Status', 'fit', ({ last }) => <Status value={last.status} />],
  ['Key', 'fit', ({ applications }) => [...applications].join(', ') || 'none'],
  ['Count', 'number', ({ count, last }) => <a href={hrefToAll(last)}>{count}</a>],
];

const keyOf = ({ operation, path, status, response }: JournaledRequest): string =>
  `${operation ?? path} ${status} ${reasonOf(status, response)}`;

/** Groups failed requests by what failed and why, the most frequent first. */
function groupFailures(requests: readonly JournaledRequest[]): Failure[] {
  return Object.values(Object.groupBy(requests, keyOf))
    .flatMap((group = []): Failure[] => {
      const last = group.at(-1);
      const applications = new Set(group.flatMap(({ application_name }) => application_name ?? []));
      return last
        ? [{ cause: reasonOf(last.status, last.response), last, count: group.length, applications }]
        : [];
    })
    .sort((a, b) => b.count - a.count);
}

/** Why recent requests failed; each cause leads to the last request of it. Nothing if none failed. */
function Failures() {
  const { value } = useControl(
    'requests.list',
    { query: { failed: 'true' } },
    (event) => event.kind === 'reset' || (event.kind === 'request' && event.status >= 400),
  );
  const failures = groupFailures(value?.requests ?? []);
  if (failures.length === 0) return null;
  return (
    <TablePanel
      title="Failures by cause"
      links={<a href="#/requests?status=failed">All failed requests</a>}
      columns={FAILURE_COLUMNS}
      rows={failures.slice(0, SHOWN)}
    />
  );
}

/** How many tokens will be active in a month, if as many become active each day. */
function forecast(active: number, now: Date): number {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return Math.round((active * (end - start)) / Math.max(now.getTime() - start, DAY_MS));
}

const DAY_MS = 86_400_000;

/** The active tokens of the month against those that the plan includes, and the tokens of each type. */
function Usage({ report }: { report: OverviewData['usage'] }) {
  const { monthly_active_tokens: active, included_monthly_active_tokens: included, metrics_by_type } = report;
  const label = `${formatNumber(active)} of ${formatNumber(included)} included tokens active this month (UTC)`;
  const types = Object.entries(metrics_by_type).sort(([, a], [, b]) => b.count - a.count);
  const max = Math.max(included, active, 1);
  const { value: clock } = useClock();
  const expected = clock && forecast(active, new Date(clock.now));
  return (
    <div class="stack">
      <p>{label}</p>
      {expected !== undefined && (
        <p class="quiet">
          At this pace, {formatNumber(expected)} by the end of the month
          {expected > included && `: ${formatNumber(expected - included)} more than included`}.
        </p>
      )}
      <meter aria-label={label} max={max} high={included * 0.9} optimum={0} value={active} />
      <ul class="list">
        {types.map(([type, { count }]) => (
          <li key={type}>
            <span>{type}</span>
            <span>{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
