import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Reactor } from '../../../../../src/contract/schemas/index.js';
import { EventLines, isLineEvent } from '../../components/event-lines.js';
import { Panel } from '../../components/page.js';
import { RequestTable } from '../../components/request-table.js';
import { EmptyState } from '../../components/states.js';
import { Code, None, Status } from '../../components/text.js';
import { useEvents, useRequests } from '../../hooks/events.js';
import { hrefTo } from '../../route.js';
import { FieldFacts } from './detail.js';
import { CONFIGURATION_FIELD } from './form-fields.js';
import { Invocation } from './invocation.js';
import { changedColumn, idColumn, nameColumn } from './list.js';
import type { ResourcePage } from './resource-page.js';

const SAMPLE = `module.exports = async ({ args, configuration, svc }) => {
  console.log('invoked with', Object.keys(args));
  return { raw: { ok: true } };
};
`;

export const reactorPage: ResourcePage<Reactor> = {
  row: RESOURCES.reactor,
  summary: 'Code that works with the data of tokens, in a sandbox.',
  columns: [
    nameColumn('reactors'),
    idColumn,
    { name: 'Last invocation', kind: 'fit', cell: ({ id }) => <LastInvocation id={id} /> },
    changedColumn,
  ],
  empty: {
    command: 'tokenctl reactor deploy charge.js',
    children: (
      <>
        <a href="#/reactors/new">Write one here</a>, or deploy a file.
      </>
    ),
  },
  deletion: 'Requests that invoke it fail from then on.',
  Detail: ({ item }) => (
    <div class="columns even">
      <div class="stack-wide">
        <Invocation reactor={item} />
        <Activity id={item.id} />
      </div>
      <Definition reactor={item} />
    </div>
  ),
  form: {
    name: {},
    code: {
      rows: 18,
      hint: 'CommonJS or an ES module, at most 50,000 characters. Ctrl+Enter saves.',
    },
    configuration: CONFIGURATION_FIELD,
    application: { hint: 'Code calls the service with its permissions, through svc.' },
  },
  start: { code: SAMPLE },
};

function LastInvocation({ id }: { id: string }) {
  const last = useRequests().find(({ path }) => path.startsWith(`/reactors/${id}/react`));
  if (!last) return <None />;
  return (
    <a href={hrefTo(['requests', last.trace_id])}>
      <Status value={last.status} />
    </a>
  );
}

function Definition({ reactor }: { reactor: Reactor }) {
  return (
    <Panel title="Code">
      <Code text={reactor.code} label={`Code of ${reactor.name}`} />
      <FieldFacts page={reactorPage} item={reactor} />
    </Panel>
  );
}

function Activity({ id }: { id: string }) {
  const requests = useRequests().filter(({ path }) => path.startsWith(`/reactors/${id}/react`));
  const lines = useEvents().filter((event) => isLineEvent(event) && event.reactor_id === id);
  return (
    <>
      <Panel title="Recent invocations">
        {requests.length > 0 ? (
          <RequestTable requests={requests.slice(0, 10)} short />
        ) : (
          <EmptyState title="Not invoked yet." command={`tokenctl reactor react ${id} --args '{}'`} />
        )}
      </Panel>
      {lines.length > 0 && (
        <Panel title="Log">
          <EventLines events={lines} label="Log" />
        </Panel>
      )}
    </>
  );
}
