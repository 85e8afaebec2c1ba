import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import type { ReactorTrace } from '../../../../src/contract/control/traces.js';
import { OPERATION_IDS, operationRow } from '../../../../src/contract/operations.js';
import { Decisions } from '../components/decisions.js';
import { Exchange, useJournal } from '../components/exchange.js';
import { EmptyState, Loaded, Page, Panel } from '../components/page.js';
import { Command, Facts, RequestLine, Status, Time } from '../components/text.js';
import { LogPanel, Traces, useTraces } from '../components/traces.js';
import { formatDuration } from '../format.js';
import { hrefTo, type ViewProps } from '../route.js';

/** What happened under a trace ID: the requests, the invocations, what reactors logged, sent and called. */
export function RequestView({ route: { path } }: ViewProps) {
  const [, traceId = ''] = path;
  const journal = useJournal(traceId);
  const traces = useTraces(journal.value?.requests).value ?? [];
  return (
    <Page
      title="Request"
      parent={['Requests', '#/requests']}
      summary={
        <>
          Trace ID <Command text={traceId} what="the trace ID" />
        </>
      }
    >
      <Loaded resource={journal}>
        {({ requests }) => (
          <>
            {requests.length === 0 && (
              <EmptyState title="No recent request has this trace ID." command="tokenctl emulator logs">
                The emulator keeps the last 1,000 requests in memory; a restart or reset forgets them.
              </EmptyState>
            )}
            {requests.map((request) => (
              <Request key={request.time + request.path} request={request} traces={traces} />
            ))}
            {requests.some((one) => one.application_id !== undefined) && <Decisions traceId={traceId} />}
          </>
        )}
      </Loaded>
      <Traces traces={traces} />
      <LogPanel matches={(event) => 'trace_id' in event && event.trace_id === traceId} />
    </Page>
  );
}

function Request({ request, traces }: { request: JournaledRequest; traces: readonly ReactorTrace[] }) {
  const { method, path, status, duration_ms, time, transform, changed, trace_id: trace } = request;
  const { application_id: id, application_name: name } = request;
  const operation = OPERATION_IDS.find((one) => one === request.operation);
  const permission = operation && operationRow(operation).permission;
  return (
    <Panel
      title={<RequestLine method={method} path={path} />}
      chip={<Status value={status} />}
      actions={
        <a class="button" href={hrefTo(['requests', 'new'], { method, path, trace })}>
          Send again …
        </a>
      }
    >
      <Exchange request={request} traces={traces} />
      <Facts
        items={[
          ['Operation', operation && <code>{operation}</code>],
          ['Application', id && <a href={hrefTo(['applications', id])}>{name}</a>],
          ['Needs permission', operation && (permission ? <code>{permission}</code> : 'any valid key')],
          ['Data shown as', transform],
          ['Fields changed', changed?.length && <code>{changed.join(', ')}</code>],
          ['Time', <Time value={time} />],
          ['Took', formatDuration(duration_ms)],
        ]}
      />
    </Panel>
  );
}
