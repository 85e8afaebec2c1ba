import { isObject } from '../../src/contract/json.js';
import { LIMITS } from '../../src/contract/limits.js';
import type { Pagination } from '../../src/contract/schemas/index.js';
import { type ProblemError, validationProblem } from '../problems/problem.js';
import type { OperationResult } from './context.js';

/** The page that a list request asks for; decisions.md, "Pagination". */
export interface PageQuery {
  /** Counted from 1. */
  page: number;
  size: number;
}

export type Page<Item> = { pagination: Pagination; data: Item[] };

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

export const listTooLong = (): ProblemError =>
  validationProblem({
    'query.size': [`the items of this page are longer than ${LIMITS.responseBytes} bytes; ask for fewer`],
  });

/** Replaces `start`, by which current clients page, by its page. A `page` beside it counts from there, as in an SDK. */
export function startToPage(query: unknown): Record<string, unknown> | undefined {
  if (!isObject(query) || query.start === undefined) return undefined;
  const { start, ...rest } = query;
  const first = start === '' ? 1 : decodeCursor(start);
  if (first === undefined)
    throw validationProblem({ 'query.start': ['must be empty, or `pagination.next` of another page'] });
  const { page = '1' } = rest;
  return { ...rest, page: /^[1-9]\d{0,14}$/.test(String(page)) ? String(first + Number(page) - 1) : page };
}

/** Adds where the next page starts; the last page has no `next`. */
export function withNextPage({ body, ...result }: OperationResult): OperationResult {
  const { pagination, data } = body as Page<unknown>;
  const { page_number: page, total_pages: pages } = pagination;
  const next = page < pages ? { next: encodeCursor(page + 1) } : {};
  return { ...result, body: { pagination: { ...pagination, ...next }, data } };
}

/** Encoded, so that clients pass cursors on as they are, like those of /v2/tokens. */
const encodeCursor = (page: number): string => Buffer.from(`page:${page}`).toString('base64url');

function decodeCursor(start: unknown): number | undefined {
  const [, page] = /^page:([1-9]\d{0,14})$/.exec(Buffer.from(String(start), 'base64url').toString()) ?? [];
  return page === undefined ? undefined : Number(page);
}
