import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import type { ReactorTrace } from '../../../../src/contract/control/traces.js';
import type { Problem } from '../../../../src/contract/problems.js';
import type { HttpResponse } from '../api/client.js';
import { formatDuration } from '../format.js';
import { type Resource, useControl, useResource, useService, useWorkbench } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';
import { Code, Json, MaskedJson } from './code.js';
import { Loaded, Panel } from './page.js';
import { CopyAs } from './snippets.js';
import { Status } from './text.js';
import { Traces, useTraces } from './traces.js';

export function useJournal(traceId: string): Resource<{ requests: JournaledRequest[] }> {
  return useControl(
    'requests.list',
    { query: { trace_id: traceId } },
    (event) => event.kind === 'request' && event.trace_id === traceId,
  );
}

interface ExchangeProps {
  request: JournaledRequest;
  traces: readonly ReactorTrace[];
  /** The body of the response as the page has received it, to be revealed. */
  received?: unknown;
}

/** A request and its response side by side, below why it failed. Token data is masked. */
export function Exchange({ request, traces, received }: ExchangeProps) {
  const { query, body, response, headers } = request;
  const thrown = traces.find(({ error }) => error);
  return (
    <>
      {request.status >= 400 && <Failure request={request} />}
      {thrown && <FailingLine trace={thrown} />}
      <div class="columns even">
        <section class="stack" aria-label="Request">
          <h3>Request</h3>
          {query !== undefined && <Json value={query} label="Query" />}
          {body !== undefined && <Json value={body} label="Body" />}
          {query === undefined && body === undefined && <p class="quiet">No query and no body.</p>}
          <details>
            <summary>Headers, without keys</summary>
            <Json value={headers} label="Headers" />
          </details>
        </section>
        <section class="stack" aria-label="Response">
          <h3>Response</h3>
          {response === undefined ? (
            <p class="quiet">No body, or one of more than 64 KB.</p>
          ) : (
            <MaskedJson
              masked={response}
              reveal={received !== undefined && (() => received)}
              label="Response body"
            />
          )}
        </section>
      </div>
      <CopyAs request={request} />
    </>
  );
}

/** The response to a request that the page has sent, with what the emulator has recorded of it. */
export function ResponsePanel({ title, response }: { title: string; response: HttpResponse }) {
  const { status, headers, body, durationMs } = response;
  const traceId = headers.get(useService().headers.traceId) ?? '';
  const journal = useJournal(traceId);
  const traces = useTraces(journal.value?.requests).value ?? [];
  return (
    <Panel
      title={title}
      chip={<Status value={status} />}
      actions={
        <>
          <span class="quiet">{formatDuration(durationMs)}</span>
          <a href={hrefTo(['requests', traceId])}>Trace</a>
        </>
      }
    >
      <Loaded resource={journal}>
        {({ requests }) =>
          requests.map((request) => (
            <Exchange key={request.time} request={request} traces={traces} received={body} />
          ))
        }
      </Loaded>
      <Traces traces={traces} />
    </Panel>
  );
}

function Failure({ request: { response, error, status } }: { request: JournaledRequest }) {
  const { title, detail, errors = {} } = (response ?? {}) as Partial<Problem>;
  return (
    <div class="notice" data-tone="bad">
      <div>
        <strong>{title ?? `Status ${status}`}</strong>
        <p>{detail ?? error}</p>
        <ul>
          {Object.entries(errors).map(([path, messages]) => (
            <li key={path}>
              <code>{path}</code> {messages.join(', ')}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The line at which code failed, with the lines around it. Not shown once the code has changed or is gone. */
function FailingLine({ trace: { reactor_id: id, error, stack = [] } }: { trace: ReactorTrace }) {
  const { service } = useWorkbench();
  const reactor = useResource(async () => service?.read('reactors.get', { path: { id } }), [id]);
  const code = reactor.value?.code;
  if (code === undefined || error?.line === undefined) return null;
  return (
    <>
      <Code text={code} label="The code that failed" around={error.line} />
      <p class="quiet mono">{stack.join(' ')}</p>
    </>
  );
}
