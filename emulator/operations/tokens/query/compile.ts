import { LIMITS } from '../../../../src/contract/limits.js';
import {
  isContainer,
  parseQuery,
  positionAt,
  type QueryTree,
  type Term,
  unescapeTerm,
} from '../../../../src/contract/search-query/parse.js';
import { QuerySyntaxError } from '../../../../src/contract/search-query/syntax-error.js';
import type { Condition } from '../../../store/condition.js';
import { findField, type Value } from './fields.js';

type Where = Condition<'tokens'>;

/** Compiles a Lucene query to a condition; undefined for an empty one. @throws QuerySyntaxError */
export function compileQuery(query: string): Where | undefined {
  const tree = parseQuery(query);
  if (tree === undefined) return undefined;
  const where = compile(tree);
  if (countWildcards(where) > LIMITS.searchWildcards)
    throw new QuerySyntaxError(`has more than ${LIMITS.searchWildcards} wildcards`);
  return where;
}

function countWildcards(where: Where): number {
  const sum = (parts: readonly Where[]) => parts.reduce((count, part) => count + countWildcards(part), 0);
  if ('all' in where) return sum(where.all);
  if ('any' in where) return sum(where.any);
  if ('not' in where) return countWildcards(where.not);
  return 'prefix' in where ? 1 : 0;
}

/** Matches every token. */
const EVERYTHING: Where = { range: 'created_at', gte: Number.MIN_SAFE_INTEGER };

function compile(tree: QueryTree): Where {
  if ('all' in tree) return { all: tree.all.map(compile) };
  if ('any' in tree) return { any: tree.any.map(compile) };
  if ('not' in tree) return { not: compile(tree.not) };
  return compileTerm(tree.term, tree.field);
}

function compileTerm(term: Term, name: string): Where {
  const location = 'termLocation' in term ? term.termLocation : term.fieldLocation;
  const column = positionAt(location?.start.offset);
  if (isEverything(term, name)) return EVERYTHING;
  if (name === '<implicit>')
    throw new QuerySyntaxError('has a term without a field; write field:value', column);
  const field = findField(name, positionAt(term.fieldLocation?.start.offset));
  if ('term' in term) return field.match(readValue(term, name));
  if (field.range)
    return field.range(unescapeTerm(term.term_min), unescapeTerm(term.term_max), term.inclusive, column);
  throw new QuerySyntaxError('has a range on a field without an order; ranges are for dates', column);
}

function isEverything(term: Term, name: string): boolean {
  return 'term' in term && !term.quoted && term.term === '*' && (name === '*' || name === '<implicit>');
}

function readValue(term: Extract<Term, { term: string }>, name: string): Value {
  const column = positionAt(term.termLocation.start.offset);
  if (isWeighted(term)) throw new QuerySyntaxError('uses ^ or ~, which are not supported', column);
  if (term.regex || (isContainer(term.term) && name !== 'container'))
    throw new QuerySyntaxError(
      'has a regular expression, which is not supported; quote a value with /',
      column,
    );
  if (term.quoted) return { text: unescapeTerm(term.term), wildcard: false, column };
  return readUnquoted(`${term.prefix ?? ''}${term.term}`, name, column);
}

function isWeighted(term: { boost?: unknown; similarity?: unknown; proximity?: unknown }): boolean {
  return [term.boost, term.similarity, term.proximity].some((weight) => typeof weight === 'number');
}

const TRAILING_WILDCARD = /^((?:\\.|[^\\])*?)\*$/s;

function readUnquoted(raw: string, name: string, column: number | undefined): Value {
  const trailing = TRAILING_WILDCARD.exec(raw)?.[1];
  const rest = trailing ?? raw;
  if (name !== 'data' && /^(?:\\.|[^\\])*?[*?]/s.test(rest))
    throw new QuerySyntaxError('has a wildcard in the middle; only a trailing * is supported', column);
  return { text: unescapeTerm(rest), wildcard: trailing !== undefined, column };
}
