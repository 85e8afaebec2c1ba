import type { Pagination } from '../../src/contract/schemas/index.js';

/** The page that a list request asks for; decisions.md, "Pagination". */
export interface PageQuery {
  /** Counted from 1. */
  page: number;
  size: number;
}

export interface Page<Item> {
  pagination: Pagination;
  data: Item[];
}

/** Converts a page to the offset and limit of a store query. */
export function toOffsetLimit({ page, size }: PageQuery): { offset: number; limit: number } {
  return { offset: (page - 1) * size, limit: size };
}

/** Builds the body of a list response. @param total number of items on all pages */
export function toPage<Item>(data: Item[], total: number, { page, size }: PageQuery): Page<Item> {
  const pagination = {
    total_items: total,
    page_number: page,
    page_size: size,
    total_pages: Math.ceil(total / size),
  };
  return { pagination, data };
}
