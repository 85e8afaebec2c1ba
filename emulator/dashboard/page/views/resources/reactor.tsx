import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Reactor } from '../../../../../src/contract/schemas/index.js';
import { EventLines, isLineEvent } from '../../components/event-lines.js';
import { Panel } from '../../components/page.js';
import { RequestPanel } from '../../components/request-table.js';
import { Code, None, Status } from '../../components/text.js';
import { useEvents, useRequests } from '../../hooks/events.js';
import { hrefTo } from '../../route.js';
import { FieldFacts } from './detail.js';
import { Invocation } from './invocation.js';
import type { ResourcePage } from './resource-page.js';

const SAMPLE = `module.exports = async ({ args, configuration, svc }) => {
  console.log('invoked with', Object.keys(args));
  return { raw: { ok: true } };
};
`;

export const reactorPage: ResourcePage<Reactor> = {
  row: RESOURCES.reactor,
  summary: 'Code that works with the data of tokens, in a sandbox.',
  columns: [{ name: 'Last invocation', kind: 'fit', cell: ({ id }) => <LastInvocation id={id} /> }],
  command: 'tokenctl reactor deploy charge.js',
  deletion: 'Requests that invoke it fail from then on.',
  Detail: ({ item }) => (
    <div class="columns even">
      <div class="stack-wide">
        <Invocation reactor={item} />
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
  const lines = useEvents().filter((event) => isLineEvent(event) && event.reactor_id === id);
  return (
    <>
      <RequestPanel
        title="Recent invocations"
        requests={useInvocations(id).slice(0, 10)}
        empty={{ title: 'Not invoked yet.', command: `tokenctl reactor react ${id} --args '{}'` }}
      />
      {lines.length > 0 && (
        <Panel title="Log">
          <EventLines events={lines} label="Log" />
        </Panel>
      )}
    </>
  );
}
