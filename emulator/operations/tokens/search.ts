import { QuerySyntaxError } from '../../../src/contract/search-query/syntax-error.js';
import { validationProblem } from '../../problems/problem.js';
import type { Condition } from '../../store/condition.js';
import type { Handler } from '../handler-types.js';
import { findTokenPage } from './list.js';
import { compileQuery } from './query/compile.js';

/** POST /tokens/search (decisions.md, "Search and tokenize"). An empty query matches all tokens. */
export const search: Handler<'tokens.search'> = async ({ body }, call, context) => {
  const conditions = queryConditions(body.query ?? '');
  return { status: 200, body: await findTokenPage('token:search', conditions, body, call, context) };
};

/** Compiles a Lucene query. @throws ProblemError 400 with the position of a syntax error */
export function queryConditions(query: string): Condition<'tokens'>[] {
  try {
    const condition = compileQuery(query);
    return condition === undefined ? [] : [condition];
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw validationProblem({ query: [error.message] });
    throw error;
  }
}
