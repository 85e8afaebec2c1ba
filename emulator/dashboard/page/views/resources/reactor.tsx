import { useState } from 'preact/hooks';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Reactor } from '../../../../../src/contract/schemas/index.js';
import type { HttpResponse } from '../../api/client.js';
import { Code } from '../../components/code.js';
import { ResponsePanel } from '../../components/exchange.js';
import type { FormFields } from '../../components/field-values.js';
import { FormPanel } from '../../components/form.js';
import { Panel } from '../../components/page.js';
import { RequestPanel } from '../../components/requests.js';
import { None, Status } from '../../components/text.js';
import { LogPanel } from '../../components/traces.js';
import { useRequests, useService } from '../../hooks/emulator.js';
import { hrefTo } from '../../route.js';
import type { ResourcePage } from './resource-page.js';
import { FieldFacts } from './resource-views.js';

const SAMPLE = `module.exports = async ({ args, configuration, svc }) => {
  console.log('invoked with', Object.keys(args));
  return { raw: { ok: true } };
};
`;

export const reactorPage: ResourcePage<Reactor> = {
  row: RESOURCES.reactor,
  columns: [['Last invocation', 'fit', ({ id }) => <LastInvocation id={id} />]],
  command: 'tokenctl reactor deploy charge.js',
  deletion: 'Requests that invoke it fail from then on.',
  Detail: ({ item }) => (
    <div class="columns even">
      <div class="stack">
        <Invocation id={item.id} />
        <Activity id={item.id} />
      </div>
      <Panel title="Code">
        <Code text={item.code} label={`Code of ${item.name}`} />
        <FieldFacts page={reactorPage} item={item} />
      </Panel>
    </div>
  ),
  form: {
    code: { hint: 'CommonJS or an ES module, at most 50,000 characters. Ctrl+Enter saves.' },
    application: { hint: 'Code calls the service with its permissions, through svc.' },
  },
  start: { code: SAMPLE },
};

const useInvocations = (id: string) =>
  useRequests().filter(({ path }) => path.startsWith(`/reactors/${id}/react`));

function LastInvocation({ id }: { id: string }) {
  const [last] = useInvocations(id);
  if (!last) return <None />;
  return (
    <a href={hrefTo(['requests', last.trace_id])}>
      <Status value={last.status} />
    </a>
  );
}

function Activity({ id }: { id: string }) {
  return (
    <>
      <RequestPanel
        title="Recent invocations"
        requests={useInvocations(id).slice(0, 10)}
        empty={{ title: 'Not invoked yet.', command: `tokenctl reactor react ${id} --args '{}'` }}
      />
      <LogPanel matches={({ reactor_id }) => reactor_id === id} />
    </>
  );
}

const FIELDS: FormFields = {
  args: {
    kind: 'json',
    label: 'Arguments',
    rows: 5,
    default: {},
    hint: 'JSON. {{ <token id> }} becomes the data of the token. Ctrl+Enter invokes.',
  },
  mode: {
    kind: 'text',
    label: 'Result',
    default: 'sync',
    options: [
      ['sync', 'Wait for the result'],
      ['async', 'Keep the result for 24 hours'],
      ['callback', 'Send the result to a URL'],
    ],
  },
};

const CALLBACK_FIELDS: FormFields = {
  ...FIELDS,
  callback_url: {
    kind: 'url',
    label: 'Callback URL',
    placeholder: 'http://127.0.0.1:3000/callback',
    required: true,
  },
};

function Invocation({ id }: { id: string }) {
  const service = useService();
  const [response, setResponse] = useState<HttpResponse | undefined>();
  async function invoke({ mode, ...body }: Record<string, unknown>) {
    setResponse(undefined);
    const path = `/reactors/${id}/${mode === 'async' ? 'react-async' : 'react'}`;
    setResponse(await service.send('POST', path, 'private', JSON.stringify(body)));
  }
  return (
    <>
      <FormPanel
        label="Invoke"
        submit="Invoke"
        fields={({ mode }) => (mode === 'callback' ? CALLBACK_FIELDS : FIELDS)}
        save={invoke}
      />
      {response && <ResponsePanel title="Result" response={response} />}
    </>
  );
}
