import { parseQuery, type QueryTree } from '../../contract/search-query/parse.js';
import { QuerySyntaxError } from '../../contract/search-query/syntax-error.js';

/** The fields that an agent may search: those that its answers show. `data` and `fingerprint` would answer questions about token data. */
const FIELDS = ['id', 'type', 'container', 'created_at', 'modified_at', 'created_by', 'modified_by'];
const METADATA = 'metadata.';

const RULE = `may search ${FIELDS.join(', ')} and ${METADATA}<key>; an agent cannot search by data or fingerprint`;

function isAllowed(tree: QueryTree): boolean {
  if ('all' in tree) return tree.all.every(isAllowed);
  if ('any' in tree) return tree.any.every(isAllowed);
  if ('not' in tree) return isAllowed(tree.not);
  const { term, field } = tree;
  if (FIELDS.includes(field) || field.startsWith(METADATA)) return true;
  // `*` and `*:*` match everything. Any other term without a field would search the default field of the service.
  return 'term' in term && term.term === '*' && !term.quoted && (field === '*' || field === '<implicit>');
}

/**
 * Checks a search query of an agent. A query that cannot be parsed is refused too: another parser could read it differently.
 * @returns what is wrong with it; undefined when the agent may send it
 */
export function queryProblem(query: string): string | undefined {
  try {
    const tree = parseQuery(query);
    return tree === undefined || isAllowed(tree) ? undefined : RULE;
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error.message;
    throw error;
  }
}
