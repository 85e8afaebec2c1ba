import * as z from 'zod';
import { LIMITS } from '../limits.js';
import { pageQuery } from '../schemas/common.js';
import { schemas } from '../schemas/index.js';

export const tokenQuery = z.strictObject({
  /** A Lucene query as of `POST /tokens/search`; all tokens by default. */
  query: z.string().max(LIMITS.searchQueryCharacters).optional(),
  ...pageQuery,
});

/** Tokens with masked data. Reading them leaves no trace: no audit entry, no activity. */
export const tokenPage = schemas['tokens.search'].responses[200];
