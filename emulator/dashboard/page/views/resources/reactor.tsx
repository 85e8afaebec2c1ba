import { useState } from 'preact/hooks';
import type { ReactorLogEvent } from '../../../../../src/contract/control/events.js';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Reactor } from '../../../../../src/contract/schemas/index.js';
import type { HttpResponse } from '../../api/client.js';
import { ResponsePanel } from '../../components/exchange.js';
import type { FormFields } from '../../components/field-values.js';
import { FormPanel } from '../../components/form.js';
import { Panel } from '../../components/page.js';
import { RequestPanel } from '../../components/requests.js';
import { type Column, TablePanel } from '../../components/table.js';
import { Facts, Status, Time } from '../../components/text.js';
import { formatNumber } from '../../format.js';
import { useControl, useEvents, useRequests, useService } from '../../hooks/emulator.js';
import { hrefTo } from '../../route.js';
import type { ResourcePage } from './resource-page.js';
import { Definition } from './resource-views.js';

const SAMPLE = `module.exports = async ({ args, configuration, svc }) => {
  console.log('invoked with', Object.keys(args));
  return { raw: { ok: true } };
};
`;

export const reactorPage: ResourcePage<Reactor> = {
  row: RESOURCES.reactor,
  columns: [['Invocations', 'fit', ({ id }) => <Outcomes id={id} />]],
  command: 'tokenctl reactor deploy charge.js',
  Below: Instances,
  deletion: 'Requests that invoke it fail from then on.',
  Detail: ({ item }) => (
    <>
      <div class="columns even">
        <Invocation id={item.id} />
        <div class="stack">
          <Definition page={reactorPage} item={item} />
        </div>
      </div>
      <Activity id={item.id} />
    </>
  ),
  form: {
    code: { hint: 'CommonJS or an ES module, at most 50,000 characters. Ctrl+Enter saves.' },
  },
  start: { code: SAMPLE },
};

/** The engines that run code, of all reactors and tenants. */
function Instances() {
  const { value } = useControl('stats.get', {}, ({ kind }) => kind === 'request');
  if (!value) return null;
  const { running, queued, idle, memory_bytes } = value.reactors;
  return (
    <Panel title="Instances">
      <Facts
        items={[
          ['Running', formatNumber(running)],
          ['Waiting for one', formatNumber(queued)],
          ['Warm', formatNumber(idle)],
          ['Memory of all', `${formatNumber(Math.round(memory_bytes / 1_048_576))} MiB`],
        ]}
      />
    </Panel>
  );
}

const useInvocations = (id: string) =>
  useRequests().filter(({ path }) => path.startsWith(`/reactors/${id}/react`));

/** The recent invocations by outcome; each leads to the last of it. */
function Outcomes({ id }: { id: string }) {
  const outcomes = Object.values(Object.groupBy(useInvocations(id), ({ status }) => status));
  return outcomes.map(
    (group) =>
      group?.[0] && (
        <a key={group[0].status} class="nowrap" href={hrefTo(['requests', group[0].trace_id])}>
          <Status value={group[0].status} /> × {formatNumber(group.length)}{' '}
        </a>
      ),
  );
}

const CONSOLE_COLUMNS: readonly Column<ReactorLogEvent>[] = [
  ['Time', 'fit', ({ time }) => <Time value={time} short />],
  ['Level', 'fit', ({ level, trace_id }) => <a href={hrefTo(['requests', trace_id])}>{level}</a>],
  ['Message', 'wide', ({ message }) => <code>{message}</code>],
];

const SHOWN = 20;

/** The recent invocations, and what they wrote to the console. */
function Activity({ id }: { id: string }) {
  const lines = useEvents().filter(
    (event): event is ReactorLogEvent => event.kind === 'reactor.log' && event.reactor_id === id,
  );
  return (
    <>
      <RequestPanel
        title="Invocations"
        links={<Outcomes id={id} />}
        rows={useInvocations(id)}
        empty={{ title: 'Not invoked yet.', command: `tokenctl reactor react ${id} --args '{}'` }}
      />
      {lines.length > 0 && (
        <TablePanel title="Console" columns={CONSOLE_COLUMNS} rows={lines.slice(-SHOWN).reverse()} />
      )}
    </>
  );
}

const FIELDS: FormFields = {
  args: {
    kind: 'json',
    label: 'Arguments',
    secret: true,
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
    <div class="stack">
      <FormPanel
        label="Invoke"
        submit="Invoke"
        fields={({ mode }) => (mode === 'callback' ? CALLBACK_FIELDS : FIELDS)}
        save={invoke}
      />
      {response && <ResponsePanel title="Result" response={response} />}
    </div>
  );
}
