import type { ComponentChildren } from 'preact';
import type { Pagination } from '../../../../src/contract/schemas/index.js';
import { formatNumber } from '../format.js';
import type { Resource } from '../hooks/emulator.js';
import { type Empty, EmptyState, Panel } from './page.js';

export type Column<Row> = readonly [
  name: string,
  /** How wide it is: `number` is right-aligned, `wide` wraps, `fit` is as narrow as its content. */
  kind: 'number' | 'fit' | 'wide' | 'text',
  cell: (row: Row) => ComponentChildren,
  /** The field that it is sorted by. */
  field?: keyof Row,
];

/** The order of rows: the name of a column, with a minus the other way round; and the address of another order. */
interface Sort {
  by: string;
  hrefOf: (by: string) => string;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** What can be done with a row, in a last column. */
  actions?: (row: Row) => ComponentChildren;
  rows: readonly Row[];
  /** By default the `id`, or the place. */
  keyOf?: ((row: Row) => string) | undefined;
  /** For a table whose rows can be sorted. */
  sort?: Sort;
  /** What stands in place of a table without rows. */
  empty?: Empty | undefined;
}

/** A table that is a list of cards in a narrow panel; each value has the name of its column there. */
export function Table<Row>({ label, columns: shown, actions, rows, keyOf, empty, sort }: TableProps<Row>) {
  const columns: readonly Column<Row>[] = actions ? [...shown, ['Actions', 'fit', actions]] : shown;
  const key = (row: Row, index: number) => keyOf?.(row) ?? (row as { id?: string }).id ?? index;
  if (rows.length === 0) return <EmptyState title={`No ${label.toLowerCase()} yet.`} {...empty} />;
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(([name, kind, , field]) => (
            <th key={name} scope="col" class={kind} aria-sort={directionOf(name, sort)}>
              {field && sort ? <SortLink name={name} {...sort} /> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={key(row, index)}>
            {columns.map(([name, kind, cell]) => (
              <td key={name} class={kind} data-label={name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const directionOf = (name: string, sort: Sort | undefined) =>
  sort?.by === name ? 'ascending' : sort?.by === `-${name}` ? 'descending' : undefined;

function SortLink({ name, by, hrefOf }: Sort & { name: string }) {
  const mark = { [name]: '▲', [`-${name}`]: '▼' }[by];
  return (
    <a href={hrefOf(by === name ? `-${name}` : name)}>
      {name} <span aria-hidden="true">{mark}</span>
    </a>
  );
}

/** Sorts rows by the field of a column; those without it come last. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], by: string): Row[] {
  const [, , , field] = columns.find(([name]) => name === by.replace('-', '')) ?? [];
  const textOf = (row: Row) => (field && JSON.stringify(row[field])) ?? '';
  const order = by.startsWith('-') ? -1 : 1;
  const [having, lacking] = [rows.filter(textOf), rows.filter((row) => !textOf(row))];
  const compare = (a: Row, b: Row) => order * textOf(a).localeCompare(textOf(b), 'en', { numeric: true });
  return [...having.sort(compare), ...lacking];
}

export interface TablePanelProps<Row> extends Omit<TableProps<Row>, 'rows' | 'label'> {
  /** Of the panel, and the name of the table. */
  title: string;
  chip?: ComponentChildren;
  links?: ComponentChildren;
  /** What stands above the table. */
  above?: ComponentChildren;
  rows: readonly Row[] | undefined;
  /** What the rows come from, if they are loaded. */
  resource?: Resource<unknown>;
  children?: ComponentChildren;
}

const LOADED: Resource<unknown> = { value: true, reload() {} };

/** A table in a panel of its own, and what follows it. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { title, chip, links, above, rows = [], resource = LOADED, children, ...table } = props;
  return (
    <Panel title={title} chip={chip} actions={links} resource={resource}>
      {() => (
        <>
          {above}
          <Table label={title} rows={rows} {...table} />
          {children}
        </>
      )}
    </Panel>
  );
}

interface ListingProps<Row> extends Omit<TablePanelProps<Row>, 'rows' | 'resource'> {
  page: Resource<{ data: readonly Row[]; pagination: Pagination }>;
  /** What is listed, one and several: `['token', 'tokens']`. */
  items: readonly [one: string, several: string];
  hrefOf: (page: number) => string;
}

/** A page of a list, with links to the other pages. */
export function Listing<Row>({ page, items, hrefOf, empty, ...table }: ListingProps<Row>) {
  const { data, pagination } = page.value ?? {};
  return (
    <TablePanel {...table} resource={page} rows={data} empty={{ title: `No ${items[1]} yet.`, ...empty }}>
      {!!pagination?.total_items && <Pager pagination={pagination} items={items} hrefOf={hrefOf} />}
    </TablePanel>
  );
}

export const PAGE_SIZE = 50;

/** A page of rows that are all known. @param page from 1 */
export const pageOf = <Row,>(rows: readonly Row[], page: number) => ({
  data: rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  pagination: {
    ...{ total_items: rows.length, page_number: page, page_size: PAGE_SIZE },
    total_pages: Math.ceil(rows.length / PAGE_SIZE),
  },
});

interface PagerProps extends Pick<ListingProps<unknown>, 'items' | 'hrefOf'> {
  pagination: Pagination;
}

function Pager({ pagination, hrefOf, items: [one, several] }: PagerProps) {
  const { total_items, page_number, page_size, total_pages } = pagination;
  const first = (page_number - 1) * page_size + 1;
  const last = Math.min(page_number * page_size, total_items);
  return (
    <nav class="head" aria-label={`Pages of ${several}`}>
      <span class="quiet">
        {last < first && 'none on this page of '}
        {total_pages > 1 && last >= first && `${formatNumber(first)}–${formatNumber(last)} of `}
        {formatNumber(total_items)} {total_items === 1 ? one : several}
      </span>
      {total_pages > 1 && (
        <span class="row">
          {page_number > 1 && <a href={hrefOf(page_number - 1)}>Previous</a>}
          {page_number < total_pages && <a href={hrefOf(page_number + 1)}>Next</a>}
        </span>
      )}
    </nav>
  );
}
