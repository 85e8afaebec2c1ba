import { aliasFilters } from './alias.js';
import { cardFilters, maskFilters } from './card.js';
import { convertFilters } from './convert.js';
import type { FilterDefinition } from './define.js';
import { jsonPathFilter } from './json-path.js';

/** The filters of the service, in addition to the standard filters of Liquid (decisions.md, "Expressions"). */
export const serviceFilters: readonly FilterDefinition[] = [
  ...maskFilters,
  ...cardFilters,
  ...aliasFilters,
  ...convertFilters,
  jsonPathFilter,
];
