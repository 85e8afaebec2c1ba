import { useState } from 'preact/hooks';
import { APPLICATION_TYPES, type ApplicationType } from '../../../../src/contract/application-types.js';
import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import type { ReactorTrace } from '../../../../src/contract/control/traces.js';
import { buildQuery, METHODS } from '../../../../src/contract/operation-row.js';
import { OPERATION_IDS, operationRow } from '../../../../src/contract/operations.js';
import type { HttpResponse } from '../api/client.js';
import { Decisions } from '../components/decisions.js';
import { Exchange, ResponsePanel, useJournal } from '../components/exchange.js';
import type { FormFields } from '../components/field-values.js';
import { Form } from '../components/form.js';
import { EmptyState, Loaded, Page, Panel } from '../components/page.js';
import { Command, Facts, RequestLine, Status, Time } from '../components/text.js';
import { Traces, useTraces } from '../components/traces.js';
import { formatDuration } from '../format.js';
import { useService } from '../hooks/emulator.js';
import { hrefTo, type ViewProps } from '../route.js';

/** What happened under a trace ID: the requests, what decided them, the invocations. */
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
              <EmptyState title="No recent request has this trace ID." command="tokenctl emulator logs" />
            )}
            {requests.map((request) => (
              <Request key={request.time + request.path} request={request} traces={traces} />
            ))}
            {requests.some((one) => one.application_id !== undefined) && <Decisions traceId={traceId} />}
          </>
        )}
      </Loaded>
      <Traces traces={traces} />
    </Page>
  );
}

function Request({ request, traces }: { request: JournaledRequest; traces: readonly ReactorTrace[] }) {
  const { method, path, status, duration_ms, time, transform, changed, trace_id: trace } = request;
  const { ignored, application_id: id, application_name: name, query } = request;
  const sent = path + buildQuery(query as Record<string, string> | undefined);
  const operation = OPERATION_IDS.find((one) => one === request.operation);
  const permission = operation && operationRow(operation).permission;
  return (
    <Panel
      title={<RequestLine method={method} path={path} />}
      chip={<Status value={status} />}
      actions={
        <a class="button" href={hrefTo(['requests', 'new'], { method, path: sent, trace })}>
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
          ['Ignored with --lenient', ignored?.length && <code>{ignored.join(', ')}</code>],
          ['Time', <Time value={time} />],
          ['Took', formatDuration(duration_ms)],
        ]}
      />
    </Panel>
  );
}

/** Management operations need the management key; everything of tokens the private one. */
const keyFor = (path: string): ApplicationType =>
  /^\/(reactors\/[^/]+\/(react|results)|tokens|v2\/tokens|tokenize|detokenize)/.test(path)
    ? 'private'
    : 'management';

interface TypedRequest {
  method: string;
  path: string;
  key: ApplicationType;
  body?: unknown;
}

const FIELDS: FormFields = {
  method: { kind: 'text', options: METHODS },
  path: { kind: 'text', mono: true, required: true },
  key: { kind: 'text', options: APPLICATION_TYPES, hint: 'Of the seeded application of this type.' },
};

const takesBody = (method: unknown): boolean => method !== 'GET' && method !== 'DELETE';

/** A request that the user writes, or sends again: with the masked body that was recorded. */
export function RequestComposer({ route: { query } }: ViewProps) {
  const service = useService();
  const journal = useJournal(query.trace ?? 'none');
  const [response, setResponse] = useState<HttpResponse | undefined>();
  const { method = 'GET', path = '/tokens?size=5' } = query;
  const hint = query.path ? 'JSON. The emulator keeps bodies masked: type the masked values again.' : 'JSON.';
  const body = { kind: 'json', hint, secret: true } as const;

  async function send({ method, path, key, body }: TypedRequest) {
    if (!/^\/(?![/_\\])/.test(path)) throw new Error('The path must start with "/", as /tokens does.');
    setResponse(await service.send(method, path, key, JSON.stringify(body)));
  }
  return (
    <Page
      title={query.path ? 'Send again' : 'New request'}
      parent={['Requests', '#/requests']}
      summary="Calls the service like any client: it is listed, recorded and limited as theirs are."
    >
      <Loaded resource={journal}>
        {({ requests }) => {
          const recorded = requests.find((one) => path.split('?')[0] === one.path)?.body;
          return (
            <Form
              class="panel"
              label="Request"
              submit="Send"
              fields={(inputs) => ({ ...FIELDS, ...(takesBody(inputs.method) && { body }) })}
              values={{ method, path, key: keyFor(path), body: recorded }}
              save={send}
            />
          );
        }}
      </Loaded>
      {response && <ResponsePanel title="Response" response={response} />}
    </Page>
  );
}
