import { Page, Panel } from '../../components/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { type Column, Pager, Table } from '../../components/table.js';
import { Id, Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, type ViewProps } from '../../route.js';
import { capitalize, type Item, type ResourcePage, useOperations } from './resource-page.js';

/** The name of an object, which leads to its page. */
export const nameColumn = (collection: string): Column<Item> => ({
  name: 'Name',
  kind: 'wide',
  cell: ({ id, name }) => <a href={hrefTo([collection, id])}>{name}</a>,
});

export const idColumn: Column<Item> = { name: 'ID', cell: ({ id }) => <Id value={id} /> };

export const changedColumn: Column<Item> = {
  name: 'Changed',
  kind: 'fit',
  cell: ({ modified_at, created_at }) => <Time value={modified_at ?? created_at} />,
};

/** The list of a resource. */
export function ResourceList({ page, route: { query } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection, about } = page.row;
  const { summary = about, columns = [nameColumn(collection), idColumn, changedColumn] } = page;
  const { command, children } = page.empty ?? { command: `tokenctl ${noun} create` };
  const { service, list } = useOperations(page);
  const { page: number = '1' } = query;
  const listed = useResource(() => list(Number(number)), [service, number]);
  useReloadOn(changesData, listed.reload);
  const title = capitalize(collection);
  return (
    <Page
      title={title}
      summary={summary}
      actions={
        <a class="button primary" href={hrefTo([collection, 'new'])}>
          New {noun}
        </a>
      }
    >
      <Panel title={`${title} of the tenant`}>
        <Loaded resource={listed}>
          {({ data, pagination }) =>
            pagination.total_items > 0 ? (
              <>
                <Table label={title} columns={columns} rows={data} keyOf={({ id }) => id} />
                <Pager
                  pagination={pagination}
                  items={[noun, collection]}
                  hrefOf={(next) => hrefTo([collection], { page: next })}
                />
              </>
            ) : (
              <EmptyState title={`No ${collection} yet.`} command={command}>
                {children}
              </EmptyState>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
