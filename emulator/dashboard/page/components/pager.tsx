import type { Pagination } from '../../../../src/contract/schemas/index.js';
import { formatNumber } from '../format.js';

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
