import { aliasFilters } from './alias.js';
import { cardFilters } from './card.js';
import { convertFilters } from './convert.js';
import type { FilterDefinition } from './define.js';
import { jsonPathFilter } from './json-path.js';
import { maskFilters } from './mask.js';

/** The filters of the service, beside the standard ones of Liquid. A new filter is a new entry. */
export const serviceFilters: readonly FilterDefinition[] = [
  ...maskFilters,
  ...cardFilters,
  ...aliasFilters,
  ...convertFilters,
  jsonPathFilter,
];
