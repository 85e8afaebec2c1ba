import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Pagination } from '../../../../src/contract/schemas/index.js';
import { formatNumber } from '../format.js';
import type { Resource } from '../hooks/emulator.js';
import { type Empty, EmptyState, Panel } from './page.js';

/** The least width of a column that is readable, in rem: `number` is right-aligned, `wide` wraps, `fit` is as narrow as its content. */
const LEAST_WIDTHS = { number: 4.5, fit: 8.5, wide: 10, text: 10.5 };

export type Column<Row> = readonly [
  name: string,
  kind: keyof typeof LEAST_WIDTHS,
  cell: (row: Row) => ComponentChildren,
];

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** What can be done with a row, in a last column. */
  actions?: (row: Row) => ComponentChildren;
  rows: readonly Row[];
  /** By default the `id`, or the place. */
  keyOf?: ((row: Row) => string) | undefined;
  /** What stands in place of a table without rows. */
  empty?: Empty | undefined;
}

/** A table that becomes a list of cards where its columns do not fit; each value has the name of its column there. */
export function Table<Row>({ label, columns: shown, actions, rows, keyOf, empty }: TableProps<Row>) {
  const columns: readonly Column<Row>[] = actions ? [...shown, ['Actions', 'fit', actions]] : shown;
  const [ref, isNarrow] = useNarrow(columns.reduce((sum, [, kind]) => sum + LEAST_WIDTHS[kind], 0));
  const key = (row: Row, index: number) => keyOf?.(row) ?? (row as { id?: string }).id ?? index;
  return (
    <div ref={ref}>
      {rows.length === 0 ? (
        <EmptyState title={`No ${label.toLowerCase()} yet.`} {...empty} />
      ) : (
        <table aria-label={label} class={isNarrow ? 'cards' : undefined}>
          <thead>
            <tr>
              {columns.map(([name, kind]) => (
                <th key={name} scope="col" class={kind}>
                  {name}
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
      )}
    </div>
  );
}

/** Tells whether an element is narrower than a width in rem, before it is painted and when its size changes. */
function useNarrow(widthRem: number): [ref: RefObject<HTMLDivElement | null>, isNarrow: boolean] {
  const ref = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const width = widthRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => setNarrow(element.clientWidth < width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [widthRem]);
  return [ref, isNarrow];
}

interface ListingProps<Row> extends Omit<TableProps<Row>, 'rows' | 'keyOf' | 'actions'> {
  page: Resource<{ data: readonly Row[]; pagination: Pagination }>;
  /** What is listed, one and several: `['token', 'tokens']`. */
  items: readonly [one: string, several: string];
  hrefOf: (page: number) => string;
  chip?: string;
}

/** A page of a list in a panel, with links to the other pages. */
export const Listing = <Row,>({ label, columns, page, items, hrefOf, chip, empty }: ListingProps<Row>) => (
  <Panel title={label} chip={chip} resource={page}>
    {({ data, pagination }) => (
      <>
        <Table
          label={label}
          columns={columns}
          rows={data}
          empty={{ title: `No ${items[1]} yet.`, ...empty }}
        />
        {pagination.total_items > 0 && <Pager pagination={pagination} items={items} hrefOf={hrefOf} />}
      </>
    )}
  </Panel>
);

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
