import type { Pagination } from '../../src/contract/schemas/index.js';

/** The page a list asks for; decisions.md, "Pagination". */
export interface PageQuery {
  page: number;
  size: number;
}

/** What the store is asked for. */
export function toOffsetLimit({ page, size }: PageQuery): { offset: number; limit: number } {
  return { offset: (page - 1) * size, limit: size };
}

/** `{ pagination, data }`, with what the store found. */
export function toPage<Item>(data: Item[], total: number, { page, size }: PageQuery): Page<Item> {
  const pagination = {
    total_items: total,
    page_number: page,
    page_size: size,
    total_pages: Math.ceil(total / size),
  };
  return { pagination, data };
}

export interface Page<Item> {
  pagination: Pagination;
  data: Item[];
}
