import type { ComponentChildren } from 'preact';
import type { Pagination } from '../../../../src/contract/schemas/index.js';
import type { Resource } from '../hooks/resource.js';
import { Panel } from './page.js';
import { EmptyState, Loaded } from './states.js';
import { type Column, Pager, Table } from './table.js';

interface Empty {
  title?: string;
  command?: string;
  children?: ComponentChildren;
}

interface RowsProps<Row> {
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** `id` by default. */
  keyOf?: (row: Row) => string;
  /** What stands in place of a table without rows. */
  empty: Empty;
}

/** A table, or what to do about it that there is nothing. */
export function Rows<Row>({ title, columns, rows, keyOf = idOf, empty }: RowsProps<Row>) {
  if (rows.length === 0) return <EmptyState title={`No ${title.toLowerCase()} yet.`} {...empty} />;
  return <Table label={title} columns={columns} rows={rows} keyOf={keyOf} />;
}

const idOf = (row: unknown): string => (row as { id: string }).id;

interface ListingProps<Row> extends Omit<RowsProps<Row>, 'rows'> {
  page: Resource<{ data: readonly Row[]; pagination: Pagination }>;
  /** What is listed, one and several: `['token', 'tokens']`. */
  items: readonly [one: string, several: string];
  /** The address of a page. */
  hrefOf: (page: number) => string;
  chip?: string;
}

/** A page of a list in a panel, with links to the other pages. */
export function Listing<Row>({ title, columns, page, items, hrefOf, chip, keyOf, empty }: ListingProps<Row>) {
  return (
    <Panel title={title} chip={chip}>
      <Loaded resource={page} lines={8}>
        {({ data, pagination }) => (
          <>
            <Rows
              title={title}
              columns={columns}
              rows={data}
              {...(keyOf && { keyOf })}
              empty={{ title: `No ${items[1]} yet.`, ...empty }}
            />
            {pagination.total_items > 0 && <Pager pagination={pagination} items={items} hrefOf={hrefOf} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
