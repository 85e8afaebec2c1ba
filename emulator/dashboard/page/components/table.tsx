import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Pagination } from '../../../../src/contract/schemas/index.js';
import { formatNumber } from '../format.js';

/** A column of a table. */
export interface Column<Row> {
  name: string;
  cell(row: Row): ComponentChildren;
  /** `number` is right-aligned, `wide` wraps, `fit` is as narrow as its content. */
  kind?: 'number' | 'wide' | 'fit';
}

/** The least width of a column that is readable, in rem. */
const LEAST_WIDTHS = { number: 4.5, fit: 8.5, wide: 10, other: 10.5 };

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table that becomes a list of cards where its columns do not fit; each value has the name of its column there. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const leastWidth = columns.reduce((sum, { kind }) => sum + LEAST_WIDTHS[kind ?? 'other'], 0);
  const [ref, isNarrow] = useNarrow(leastWidth);
  return (
    <div ref={ref}>
      <table aria-label={label} class={isNarrow ? 'cards' : undefined}>
        <thead>
          <tr>
            {columns.map(({ name, kind }) => (
              <th key={name} scope="col" class={kind}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, kind }) => (
                <td key={name} class={kind} data-label={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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

interface PagerProps {
  pagination: Pagination;
  /** The address of a page. */
  hrefOf: (page: number) => string;
  /** What is listed, one and several: `['token', 'tokens']`. */
  items: readonly [one: string, several: string];
}

export function Pager({ pagination, hrefOf, items }: PagerProps) {
  const { total_items, page_number, page_size, total_pages } = pagination;
  const [one, several] = items;
  const first = (page_number - 1) * page_size + 1;
  const last = Math.min(page_number * page_size, total_items);
  return (
    <nav class="pager" aria-label={`Pages of ${several}`}>
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
