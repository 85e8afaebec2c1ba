import { useState } from 'preact/hooks';
import { APPLICATION_TYPES, type ApplicationType } from '../../../../src/contract/application-types.js';
import { METHODS } from '../../../../src/contract/operation-row.js';
import type { HttpResponse } from '../api/http.js';
import { Outcome } from '../components/exchange.js';
import { Select, TextField } from '../components/fields.js';
import { Form, parseJson } from '../components/form.js';
import { Json } from '../components/json.js';
import { Page, Panel } from '../components/page.js';
import { Loaded } from '../components/states.js';
import { Status } from '../components/text.js';
import { formatDuration, formatJson } from '../format.js';
import { useJournal } from '../hooks/journal.js';
import { useService } from '../hooks/workbench.js';
import { hrefTo, type ViewProps } from '../route.js';

/** Management operations need the management key; everything of tokens the private one. */
const keyFor = (path: string): ApplicationType =>
  /^\/(reactors\/[^/]+\/(react|results)|tokens|v2\/tokens|tokenize|detokenize)/.test(path)
    ? 'private'
    : 'management';

/** A request that the user writes, or sends again. */
export function RequestComposer({ route: { query } }: ViewProps) {
  const journal = useJournal(query.trace);
  return (
    <Page
      title={query.path ? 'Send again' : 'New request'}
      parent={['Requests', '#/requests']}
      summary="Calls the service like any client: it is listed, recorded and limited as theirs are."
    >
      <Loaded resource={journal}>
        {(requests) => <Composer query={query} template={requests.find(({ path }) => path === query.path)} />}
      </Loaded>
    </Page>
  );
}

interface ComposerProps {
  query: ViewProps['route']['query'];
  /** A request that is sent again, with its masked body. */
  template: object | undefined;
}

function Composer({ query, template = {} }: ComposerProps) {
  const service = useService();
  const [method, setMethod] = useState(query.method ?? 'GET');
  const [path, setPath] = useState(query.path ?? '/tokens?size=5');
  const [as, setAs] = useState<ApplicationType>(keyFor(query.path ?? '/tokens'));
  const [body, setBody] = useState('body' in template ? formatJson(template.body) : '');
  const [response, setResponse] = useState<HttpResponse | undefined>();
  const takesBody = method !== 'GET' && method !== 'DELETE';

  async function send() {
    if (!/^\/(?![/_\\])/.test(path)) throw new Error('The path must start with "/", as /tokens does.');
    const text = takesBody && body.trim() !== '' ? body : undefined;
    if (text !== undefined) parseJson('Body', text);
    setResponse(await service.send({ method, path, as, body: text }));
  }

  return (
    <>
      <div class="panel">
        <Form label="Request" submit="Send" onSubmit={send}>
          <div class="request-line">
            <Select label="Method" value={method} options={METHODS} onChange={setMethod} />
            <TextField label="Path" mono value={path} onChange={setPath} required />
          </div>
          <Select
            label="Key"
            value={as}
            options={APPLICATION_TYPES}
            hint="Of the seeded application of this type."
            onChange={(name) => setAs(APPLICATION_TYPES.find((type) => type === name) ?? 'private')}
          />
          {takesBody && (
            <TextField
              label="Body"
              rows={8}
              value={body}
              onChange={setBody}
              hint={
                query.path ? 'JSON. The emulator keeps bodies masked: type the masked values again.' : 'JSON.'
              }
            />
          )}
        </Form>
      </div>
      {response && <Response key={response} response={response} traceHeader={service.headers.traceId} />}
    </>
  );
}

function Response({ response, traceHeader }: { response: HttpResponse; traceHeader: string }) {
  const { status, headers, body, durationMs } = response;
  const traceId = headers.get(traceHeader) ?? '';
  return (
    <Panel
      title="Response"
      chip={<Status value={status} />}
      actions={
        <>
          <span class="quiet">{formatDuration(durationMs)}</span>
          <a href={hrefTo(['requests', traceId])}>Trace</a>
        </>
      }
    >
      <Outcome traceId={traceId} received={body} />
      <details>
        <summary>Headers of the response</summary>
        <Json value={Object.fromEntries(headers)} label="Headers of the response" />
      </details>
    </Panel>
  );
}
