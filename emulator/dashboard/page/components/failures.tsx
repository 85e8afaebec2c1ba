import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import type { Problem } from '../../../../src/contract/problems.js';
import { callControl } from '../api/control-client.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';
import { Panel } from './page.js';
import { type Column, Table } from './table.js';
import { RequestLine, Status } from './text.js';

/** Requests that failed for one reason. */
interface Failure {
  cause: string;
  last: JournaledRequest;
  count: number;
  applications: ReadonlySet<string>;
}

const SHOWN = 6;

/** `Validation: data.number must be …` */
function causeOf({ response, status }: JournaledRequest): string {
  const { detail, title, errors = {} } = (response ?? {}) as Partial<Problem>;
  const [first] = Object.entries(errors);
  return first ? `${first[0]} ${first[1].join(', ')}` : (detail ?? title ?? `Status ${status}`);
}

/** Groups failed requests by what failed and why, the most frequent first. */
function groupFailures(requests: readonly JournaledRequest[]): Failure[] {
  const groups = Object.values(
    Object.groupBy(requests, (one) => `${one.operation ?? one.path} ${one.status} ${causeOf(one)}`),
  );
  return groups
    .flatMap((group = []): Failure[] => {
      const last = group.at(-1);
      const applications = new Set(group.flatMap(({ application_name }) => application_name ?? []));
      return last ? [{ cause: causeOf(last), last, count: group.length, applications }] : [];
    })
    .sort((a, b) => b.count - a.count);
}

const COLUMNS: readonly Column<Failure>[] = [
  {
    name: 'Cause',
    kind: 'wide',
    cell: ({ cause, last }) => <a href={hrefTo(['requests', last.trace_id])}>{cause}</a>,
  },
  {
    name: 'Request',
    kind: 'wide',
    cell: ({ last: { method, path } }) => <RequestLine method={method} path={path} />,
  },
  { name: 'Status', kind: 'fit', cell: ({ last }) => <Status value={last.status} /> },
  { name: 'Key', kind: 'fit', cell: ({ applications }) => [...applications].join(', ') || 'none' },
  { name: 'Count', kind: 'number', cell: ({ count }) => count },
];

/** Why recent requests failed; each cause leads to the last request of it. Nothing if none failed. */
export function Failures() {
  const { tenant } = useWorkbench();
  const { value, reload } = useResource(
    () => callControl('requests.list', { tenant: tenant.id, query: { failed: 'true' } }),
    [],
  );
  useReloadOn((event) => event.kind === 'reset' || (event.kind === 'request' && event.status >= 400), reload);
  const failures = groupFailures(value?.requests ?? []);
  if (failures.length === 0) return null;
  return (
    <Panel title="Failures by cause" actions={<a href="#/requests?status=failed">All failed requests</a>}>
      <Table
        label="Failures by cause"
        columns={COLUMNS}
        rows={failures.slice(0, SHOWN)}
        keyOf={({ last, cause }) => `${last.operation ?? last.path} ${last.status} ${cause}`}
      />
    </Panel>
  );
}
