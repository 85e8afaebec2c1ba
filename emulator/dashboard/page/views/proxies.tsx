import type { Proxy as ProxyObject } from '../../../../src/contract/schemas/index.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Pager, Table } from '../components/table.js';
import { Id, Path } from '../components/text.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';
import { hrefTo, type ViewProps } from '../route.js';

const COLUMNS: readonly Column<ProxyObject>[] = [
  { name: 'Name', kind: 'wide', cell: ({ id, name }) => <a href={hrefTo(['proxies', id])}>{name}</a> },
  {
    name: 'Destination',
    kind: 'wide',
    cell: ({ destination_url }) => <Path value={destination_url} />,
  },
  {
    name: 'Transforms',
    kind: 'fit',
    cell: ({ request_transform, response_transform }) =>
      [request_transform && 'request', response_transform && 'response'].filter(Boolean).join(', ') || 'none',
  },
  { name: 'ID', cell: ({ id }) => <Id value={id} /> },
];

export function Proxies({ route: { query } }: ViewProps) {
  const service = useService();
  const { page = '1' } = query;
  const proxies = useResource(
    () => service.read('proxies.list', { query: { page: Number(page) } }),
    [service, page],
  );
  useReloadOn(changesData, proxies.reload);
  return (
    <Page
      title="Proxies"
      summary="Requests to other services, with token data in place of expressions."
      actions={
        <a class="button primary" href="#/proxies/new">
          New proxy
        </a>
      }
    >
      <Panel title="Proxies of the tenant">
        <Loaded resource={proxies}>
          {({ data, pagination }) =>
            pagination.total_items > 0 ? (
              <>
                <Table label="Proxies" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
                <Pager
                  pagination={pagination}
                  items={['proxy', 'proxies']}
                  hrefOf={(next) => hrefTo(['proxies'], { page: next })}
                />
              </>
            ) : (
              <EmptyState
                title="No proxies yet."
                command="tokenctl proxy create --name processor --destination-url http://127.0.0.1:4000"
              >
                <a href="#/proxies/new">Create one here</a>, or on the command line.
              </EmptyState>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
