import type { Reactor } from '../../../../src/contract/schemas/index.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Pager, Table } from '../components/table.js';
import { Id, None, Status, Time } from '../components/text.js';
import { changesData, useReloadOn, useRequests } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';
import { hrefTo, type ViewProps } from '../route.js';

const COLUMNS: readonly Column<Reactor>[] = [
  { name: 'Name', kind: 'wide', cell: ({ id, name }) => <a href={hrefTo(['reactors', id])}>{name}</a> },
  { name: 'ID', cell: ({ id }) => <Id value={id} /> },
  { name: 'Last invocation', kind: 'fit', cell: ({ id }) => <LastInvocation id={id} /> },
  {
    name: 'Changed',
    kind: 'fit',
    cell: ({ modified_at, created_at }) => <Time value={modified_at ?? created_at} />,
  },
];

function LastInvocation({ id }: { id: string }) {
  const last = useRequests().find(({ path }) => path.startsWith(`/reactors/${id}/react`));
  if (!last) return <None />;
  return (
    <a href={hrefTo(['requests', last.trace_id])}>
      <Status value={last.status} />
    </a>
  );
}

export function Reactors({ route: { query } }: ViewProps) {
  const service = useService();
  const { page = '1' } = query;
  const reactors = useResource(
    () => service.read('reactors.list', { query: { page: Number(page) } }),
    [service, page],
  );
  useReloadOn(changesData, reactors.reload);
  return (
    <Page
      title="Reactors"
      summary="Code that works with the data of tokens, in a sandbox."
      actions={
        <a class="button primary" href="#/reactors/new">
          New reactor
        </a>
      }
    >
      <Panel title="Reactors of the tenant">
        <Loaded resource={reactors}>
          {({ data, pagination }) =>
            pagination.total_items > 0 ? (
              <>
                <Table label="Reactors" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
                <Pager
                  pagination={pagination}
                  items={['reactor', 'reactors']}
                  hrefOf={(next) => hrefTo(['reactors'], { page: next })}
                />
              </>
            ) : (
              <EmptyState title="No reactors yet." command="tokenctl reactor deploy charge.js">
                <a href="#/reactors/new">Write one here</a>, or deploy a file.
              </EmptyState>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
