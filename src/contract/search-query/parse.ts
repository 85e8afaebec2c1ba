import lucene from 'lucene';
import { QuerySyntaxError } from './syntax-error.js';

/** A `field:value` or `field:[a TO b]` of a query. */
export type Term = lucene.NodeTerm | lucene.NodeRangedTerm;

export type QueryTree =
  | { all: QueryTree[] }
  | { any: QueryTree[] }
  | { not: QueryTree }
  | { term: Term; field: string };

const IMPLICIT = '<implicit>';

/** Parses Lucene syntax: `NOT` before `AND`, `AND` before `OR`; undefined for an empty query. @throws QuerySyntaxError */
export function parseQuery(query: string): QueryTree | undefined {
  const text = outsideQuotes(query);
  assertDepth(text);
  assertOperators(text);
  const ast = parse(protect(protect(query, TIME, ':', COLON), CONTAINER, '/', SLASH), text);
  return 'left' in ast ? groupOperands(ast, IMPLICIT) : undefined;
}

/** @param text the query outside of quotes */
function parse(query: string, text: string): lucene.AST {
  try {
    return lucene.parse(query);
  } catch (error) {
    assertPairs(text);
    const offset = (error as { location?: { start?: { offset?: number } } }).location?.start?.offset;
    throw new QuerySyntaxError('is not valid Lucene syntax', positionAt(offset));
  }
}

/** Ranges may mix brackets: `[a TO b}`. */
const CLOSED_BY: Record<string, string> = { '(': ')', '[': ']}', '{': ']}' };

const unclosed = (sign: string) => `has a ${sign} that is not closed; to search for it, write \\${sign}`;

function assertPairs(text: string): void {
  const open: RegExpExecArray[] = [];
  for (const match of text.matchAll(/["([{\])}]/g)) {
    const [sign] = match;
    // Those that are closed are not part of the text.
    if (sign === '"') throw new QuerySyntaxError(unclosed(sign), match.index + 1);
    if (sign in CLOSED_BY) open.push(match);
    else if (!CLOSED_BY[open.pop()?.[0] ?? '']?.includes(sign))
      throw new QuerySyntaxError(`has a ${sign} that closes nothing`, match.index + 1);
  }
  const last = open.at(-1);
  if (last) throw new QuerySyntaxError(unclosed(last[0]), last.index + 1);
}

/** Replaces quoted and escaped text by `_`, keeping the length. */
function outsideQuotes(query: string): string {
  return query.replace(/\\.|"(?:\\.|[^"\\])*"/gs, (text) => '_'.repeat(text.length));
}

const OPERATOR = String.raw`(?:AND|OR|NOT|&&|\|\|)`;
const MISPLACED = [
  // At the start, or after an opening parenthesis.
  /(?:^|\()\s*(?:AND|OR|&&|\|\|)(?=[\s(]|$)/,
  // Directly after another operator; only NOT may follow AND or OR.
  new RegExp(String.raw`(?:^|[\s(])${OPERATOR}\s+(?:AND|OR|&&|\|\|)(?=[\s(]|$)`),
  /(?:^|[\s(])NOT\s+NOT(?=[\s(]|$)/,
  // At the end, or before a closing parenthesis.
  new RegExp(String.raw`(?:^|[\s()])${OPERATOR}\s*(?=\)|$)`),
];

/** Levels of parentheses: few enough for recursive code. */
const MAX_DEPTH = 100;

function assertDepth(text: string): void {
  let depth = 0;
  for (const { 0: parenthesis, index } of text.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1;
    if (depth > MAX_DEPTH)
      throw new QuerySyntaxError(`has more than ${MAX_DEPTH} levels of parentheses`, index + 1);
  }
}

/** Rejects operators without an operand, which the parser ignores, as it does all but one of several. */
function assertOperators(text: string): void {
  for (const pattern of MISPLACED) {
    const match = pattern.exec(text);
    if (!match) continue;
    // The column of the operator itself, not of the text before it.
    const column = match.index + match[0].search(/[A-Z&|]/) + 1;
    throw new QuerySyntaxError('has an operator without a term', column);
  }
}

/** Replaces a colon that does not separate field and value; it has the same length, so that positions stay correct. */
const COLON = '\uffff';

/** Times, whose colons the grammar reads as field separators: `created_at:>2030-01-31T10:00:00Z`. */
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?[^\s)\]}]*/g;

const SLASH = '\ufffe';

/** Containers, whose slashes the grammar reads as those of regular expressions: `container:/pci/high/`. */
const CONTAINER = /(?<=[:(\s]|^)\/(?:[\w*-]+\/)*[\w*-]*(?=[)\s]|$)/g;

function protect(query: string, pattern: RegExp, sign: string, substitute: string): string {
  const text = outsideQuotes(query);
  return query.replace(pattern, (match, offset: number) =>
    text[offset] === '_' ? match : match.replaceAll(sign, substitute),
  );
}

/** Whether a term begins like a container. For other fields, that is a regular expression. */
export function isContainer(term: string): boolean {
  return term.startsWith(SLASH);
}

/** Removes the escapes of a term and restores its colons and slashes. */
export const unescapeTerm = (text: string): string =>
  text.replace(/\\(.)/gs, '$1').replaceAll(COLON, ':').replaceAll(SLASH, '/');

/** Converts an offset to a position counted from 1 over the whole query. */
export const positionAt = (offset: number | undefined): number | undefined =>
  offset === undefined ? undefined : offset + 1;

interface Operand {
  tree: QueryTree;
  or: boolean;
}

/** Applies operator precedence. The parser has none and nests to the right: `a AND b OR c` is `a AND (b OR c)`. */
function groupOperands(ast: lucene.AST, field: string): QueryTree {
  const operands = readOperands(ast, field);
  const groups: QueryTree[][] = [];
  for (const { tree, or } of operands) {
    const last = groups.at(-1);
    if (or || last === undefined) groups.push([tree]);
    else last.push(tree);
  }
  const any = groups.map((all) => (all.length === 1 && all[0] ? all[0] : { all }));
  return any.length === 1 && any[0] ? any[0] : { any };
}

function readOperands(ast: lucene.AST, field: string): Operand[] {
  const operands: Operand[] = [];
  let node: lucene.AST | lucene.Node = ast;
  let operator = 'start' in ast && ast.start === 'NOT' ? 'NOT' : 'AND';
  while ('operator' in node && (node === ast || !node.parenthesized)) {
    operands.push(toOperand(node.left, operator, field));
    operator = node.operator as string;
    node = node.right;
  }
  // A group of one, or the last operand of the chain.
  const last = node === ast && 'left' in node ? node.left : node;
  operands.push(toOperand(last, operator, field));
  return operands;
}

function toOperand(node: lucene.AST | lucene.Node, operator: string, field: string): Operand {
  const negated = operator.endsWith('NOT');
  const tree = toTree(node, field);
  return { tree: negated ? { not: tree } : tree, or: operator.startsWith('OR') || operator === '||' };
}

function toTree(node: lucene.AST | lucene.Node, outer: string): QueryTree {
  const named = node.field ?? IMPLICIT;
  const [, prefix = '', name = ''] = /^([-!+]?)(.*)$/s.exec(named) ?? [];
  const field = name === IMPLICIT ? outer : unescapeTerm(name);
  const tree: QueryTree = 'left' in node ? groupOperands(node, field) : { term: node, field };
  return prefix === '-' || prefix === '!' ? { not: tree } : tree;
}
