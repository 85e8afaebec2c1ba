import type { Application } from '../../../../src/contract/schemas/index.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Pager, Table } from '../components/table.js';
import { Id, Time } from '../components/text.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';
import { hrefTo, type ViewProps } from '../route.js';

function accessSummary({ permissions, rules }: Application): string {
  if (rules) return rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  const count = permissions?.length ?? 0;
  return count === 1 ? '1 permission' : `${count} permissions`;
}

const COLUMNS: readonly Column<Application>[] = [
  { name: 'Name', kind: 'wide', cell: ({ id, name }) => <a href={hrefTo(['applications', id])}>{name}</a> },
  { name: 'Type', kind: 'fit', cell: ({ type }) => type },
  { name: 'Access', kind: 'fit', cell: accessSummary },
  { name: 'ID', cell: ({ id }) => <Id value={id} /> },
  {
    name: 'Changed',
    kind: 'fit',
    cell: ({ modified_at, created_at }) => <Time value={modified_at ?? created_at} />,
  },
];

export function Applications({ route: { query } }: ViewProps) {
  const service = useService();
  const { page = '1' } = query;
  const applications = useResource(
    () => service.read('applications.list', { query: { page: Number(page) } }),
    [service, page],
  );
  useReloadOn(changesData, applications.reload);
  return (
    <Page
      title="Applications"
      summary="Who calls the service: API keys and what they may do."
      actions={
        <a class="button primary" href="#/applications/new">
          New application
        </a>
      }
    >
      <Panel title="Applications of the tenant">
        <Loaded resource={applications}>
          {({ data, pagination }) =>
            pagination.total_items > 0 ? (
              <>
                <Table label="Applications" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
                <Pager
                  pagination={pagination}
                  items={['application', 'applications']}
                  hrefOf={(next) => hrefTo(['applications'], { page: next })}
                />
              </>
            ) : (
              <EmptyState title="No applications." command="tokenctl application create" />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
