import { capitalize } from '../../components/field-values.js';
import { Listing } from '../../components/listing.js';
import { Page } from '../../components/page.js';
import type { Column } from '../../components/table.js';
import { Id, Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, type ViewProps } from '../../route.js';
import { type Item, type ResourcePage, useOperations } from './resource-page.js';

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
  const { summary = about, columns = [nameColumn(collection), idColumn, changedColumn], Below } = page;
  const { service, list } = useOperations(page);
  const { page: number = '1' } = query;
  const listed = useResource(() => list(Number(number)), [service, number]);
  useReloadOn(changesData, listed.reload);
  return (
    <Page
      title={capitalize(collection)}
      summary={summary}
      actions={
        <a class="button primary" href={hrefTo([collection, 'new'])}>
          New {noun}
        </a>
      }
    >
      <Listing
        title={`${capitalize(collection)} of the tenant`}
        columns={columns}
        page={listed}
        items={[noun, collection]}
        hrefOf={(next) => hrefTo([collection], { page: next })}
        empty={{ command: page.command ?? `tokenctl ${noun} create` }}
      />
      {Below && <Below />}
    </Page>
  );
}
