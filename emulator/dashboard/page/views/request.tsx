import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { OPERATION_IDS, operationRow } from '../../../../src/contract/operations.js';
import { PROXY_PATH } from '../../../../src/contract/proxies.js';
import { Decisions } from '../components/decisions.js';
import { EventLines, isLineEvent } from '../components/event-lines.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState } from '../components/states.js';
import { Code, CopyButton, Facts, Id, None, RequestLine, Status, Time } from '../components/text.js';
import { Traces } from '../components/traces.js';
import { formatDuration, formatJson } from '../format.js';
import { useEvents } from '../hooks/events.js';
import { useJournal } from '../hooks/journal.js';
import { hrefTo, type ViewProps } from '../route.js';

/** What happened under a trace ID: the requests, the invocations, what reactors logged, sent and called. */
export function RequestView({ route: { path } }: ViewProps) {
  const [, traceId = ''] = path;
  const events = useEvents().filter((event) => 'trace_id' in event && event.trace_id === traceId);
  const requests = events.filter((event): event is RequestEvent => event.kind === 'request');
  const journal = useJournal(traceId).value ?? [];
  const lines = events.filter(isLineEvent);
  return (
    <Page
      title="Request"
      parent={['Requests', '#/requests']}
      summary={
        <span class="row">
          Trace ID <Id value={traceId} />
          <CopyButton text={traceId} label="the trace ID" />
        </span>
      }
    >
      {events.length === 0 && (
        <EmptyState title="No recent request has this trace ID." command={`tokenctl emulator logs`}>
          The emulator keeps the last 1,000 events in memory; a restart or reset forgets them.
        </EmptyState>
      )}
      {requests.map((request) => (
        <Request
          key={request.time + request.path}
          request={request}
          journaled={journal.find(({ time, path }) => time === request.time && path === request.path)}
        />
      ))}
      {requests.some(({ application_id }) => application_id !== undefined) && <Decisions traceId={traceId} />}
      {lines.length + requests.filter(isInvocation).length > 0 && <Traces traceId={traceId} />}
      {lines.length > 0 && (
        <Panel title="Log">
          <EventLines events={lines} label="Log" />
        </Panel>
      )}
    </Page>
  );
}

/** Whether a request ran code: that of a reactor, or the transforms of a proxy. */
const isInvocation = ({ operation, path }: RequestEvent): boolean =>
  /^reactors\.react/.test(operation ?? '') || path.startsWith(PROXY_PATH);

interface RequestProps {
  request: RequestEvent;
  /** The same request with its headers, masked query and body; absent until it is loaded. */
  journaled: object | undefined;
}

function Request({ request, journaled = {} }: RequestProps) {
  const {
    method,
    path,
    status,
    duration_ms,
    time,
    application_id,
    application_name,
    transform,
    changed,
    error,
  } = request;
  const operation = OPERATION_IDS.find((id) => id === request.operation);
  const permission = operation && operationRow(operation).permission;
  return (
    <Panel
      title={`${method} ${path}`}
      actions={
        <a class="button" href={hrefTo(['requests', 'new'], { method, path, trace: request.trace_id })}>
          Send again …
        </a>
      }
    >
      <Facts
        items={[
          ['Request', <RequestLine method={method} path={path} />],
          ['Status', <Status value={status} />],
          ...(error === undefined ? [] : [['Refused because', error] as const]),
          ['Operation', request.operation === undefined ? <None /> : <code>{request.operation}</code>],
          [
            'Application',
            application_id === undefined ? (
              <None />
            ) : (
              <a href={hrefTo(['applications', application_id])}>{application_name}</a>
            ),
          ],
          ['Needs permission', permission ? <code>{permission}</code> : 'any valid key'],
          ['Data shown as', transform ?? <None />],
          ['Fields changed', changed?.length ? <code>{changed.join(', ')}</code> : <None />],
          ['Time', <Time value={time} />],
          ['Took', formatDuration(duration_ms)],
        ]}
      />
      {'headers' in journaled && <Masked name="Headers, without keys" value={journaled.headers} />}
      {'query' in journaled && <Masked name="Query, masked" value={journaled.query} />}
      {'body' in journaled && <Masked name="Body, masked" value={journaled.body} />}
    </Panel>
  );
}

function Masked({ name, value }: { name: string; value: unknown }) {
  return (
    <details>
      <summary>{name}</summary>
      <Code text={formatJson(value)} label={name} />
    </details>
  );
}
