import {
  type AnyNode,
  type CallExpression,
  type Node,
  type Options,
  parse,
  type SourceLocation,
} from 'acorn';
import { fullAncestor } from 'acorn-walk';

/** A position in the code. Line and column start at 1; columns count UTF-16 units. */
export type Position = { line: number; column: number };

export type FailureKind = 'call' | 'read' | 'write' | 'variable' | 'destructure' | 'iterate';

/** An operation that can throw, and where an editor would mark it. */
export interface Operation extends Position {
  kind: FailureKind;
  /** Name of the property, variable or called function; undefined if it is computed. */
  name: string | undefined;
  reported: Position;
  function: FunctionRange;
}

/** A function, the top level, or the fields of a class. */
interface FunctionRange {
  start: Position;
  lastLine: number;
  /** The line that the engine reports for the start: 0 for the fields of a class. */
  reportedLine: number;
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  locations: true,
  preserveParens: true,
  allowHashBang: true,
  allowReturnOutsideFunction: true,
};

function parseCode(code: string): Node {
  try {
    return parse(code, { ...OPTIONS, sourceType: 'script' });
  } catch {
    return parse(code, { ...OPTIONS, sourceType: 'module' });
  }
}

/** A step of a function: a position that the engine records, or an operation. */
interface Step {
  /** Offset that orders the steps as the engine compiles them. */
  offset: number;
  recorded?: Position;
  operation?: Pick<Operation, 'kind' | 'name' | 'line' | 'column'>;
}

/**
 * Lists the operations of the code that can throw, with the position that QuickJS reports for each. The engine records positions
 * for expression statements, calls, `new`, `throw` and right operands only. It reports every other operation with the last
 * recorded position before it in the same function, or with the start of the function.
 * @throws SyntaxError if the code parses neither as CommonJS nor as an ES module
 */
export function findOperations(code: string): Operation[] {
  const steps = new Map<Node, Step[]>();
  fullAncestor(parseCode(code), (node, _state, ancestors, type) => {
    const scope = findFunction(ancestors);
    const own = steps.get(scope) ?? [];
    steps.set(scope, own);
    // The role of a node tells a variable that is read from one that is declared.
    if (node.type !== 'Identifier' || type === 'Identifier')
      own.push(...(STEPS[node.type as AnyNode['type']]?.(node as never) ?? []));
  });
  return [...steps].flatMap(([scope, own]) => toOperations(scope, own));
}

function toOperations(scope: Node, steps: Step[]): Operation[] {
  const range = toRange(scope as AnyNode);
  let reported: Position = { ...range.start, line: range.reportedLine };
  const operations: Operation[] = [];
  for (const { recorded, operation } of steps.sort((one, other) => one.offset - other.offset)) {
    reported = recorded ?? reported;
    if (operation) operations.push({ ...operation, reported, function: range });
  }
  return operations;
}

/** Returns the innermost function around a node. All fields of a class are set by one function, which is their class here. */
function findFunction(ancestors: readonly Node[]): Node {
  const index = ancestors.findLastIndex(
    ({ type }, at) => at < ancestors.length - 1 && /Function|^PropertyDefinition$|^StaticBlock$/.test(type),
  );
  const found = ancestors[index]?.type.includes('Function') ? ancestors[index] : ancestors[index - 1];
  return found ?? (ancestors[0] as Node);
}

function toRange(scope: AnyNode): FunctionRange {
  const { start, end } = scope.loc as SourceLocation;
  const reportedLine = { Program: 1, ClassBody: 0 }[scope.type as string] ?? start.line;
  return { start: startOf(scope), lastLine: end.line, reportedLine };
}

const startOf = (node: Node): Position => {
  const { line, column } = (node.loc as SourceLocation).start;
  return { line, column: column + 1 };
};

const recordAt = (node: Node): Step => ({ offset: node.start, recorded: startOf(node) });

const createStep = (kind: FailureKind, operand: Node, offset: number): Step => ({
  offset,
  operation: { kind, name: nameOf(operand), ...startOf(markOf(operand)) },
});

/** Of a call: its first argument or, if there is none, its closing parenthesis. */
function recordArguments({ arguments: [first], loc, end }: CallExpression): Step {
  const { line, column } = (loc as SourceLocation).end;
  return first ? recordAt(first) : { offset: end - 1, recorded: { line, column } };
}

/** The steps of each type of node. Most operations run after their operands have been evaluated. */
const STEPS: { [Type in AnyNode['type']]?: (node: Extract<AnyNode, { type: Type }>) => Step[] } = {
  ExpressionStatement: (node) => [recordAt(node)],
  ThrowStatement: ({ argument }) => [recordAt(argument)],
  BinaryExpression: ({ operator, right }) => (operator === '**' ? [] : [recordAt(right)]),
  CallExpression: (node) => [recordArguments(node), createStep('call', node.callee, node.end)],
  NewExpression: (node) => [
    recordAt(node.callee),
    { offset: node.end, operation: { kind: 'call', name: nameOf(node.callee), ...startOf(node) } },
  ],
  TaggedTemplateExpression: ({ quasi, tag, end }) => [recordAt(quasi), createStep('call', tag, end)],
  MemberExpression: (node) => (node.optional ? [] : [createStep('read', node, node.end)]),
  AssignmentExpression: ({ left, end }) => [
    createStep(left.type === 'Identifier' ? 'variable' : 'write', left, end),
  ],
  UpdateExpression: ({ argument, end }) => [createStep('write', argument, end)],
  ObjectPattern: (node) =>
    isReactorRequest(node.properties) ? [] : [createStep('destructure', node, node.start)],
  ArrayPattern: (node) => [createStep('iterate', node, node.start)],
  SpreadElement: ({ argument, end }) => [createStep('iterate', argument, end)],
  ForOfStatement: ({ right }) => [createStep('iterate', right, right.end)],
  Identifier: (node) => [createStep('variable', node, node.end)],
};

/** Properties of what every reactor function is called with, so that destructuring them never fails. */
const REQUEST_PROPERTIES = ['args', 'configuration', 'svc'];

const isReactorRequest = (properties: readonly AnyNode[]): boolean =>
  properties.some(
    (property) => property.type === 'Property' && REQUEST_PROPERTIES.includes(nameOf(property.key) ?? ''),
  );

const unwrap = (operand: Node): AnyNode => {
  const node = operand as AnyNode;
  return node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression'
    ? unwrap(node.expression)
    : node;
};

/** Returns what an editor would mark of an operand: the property of a member, otherwise all of it. */
function markOf(operand: Node): Node {
  const node = unwrap(operand);
  return node.type === 'MemberExpression' ? node.property : node;
}

function nameOf(operand: Node): string | undefined {
  const node = unwrap(operand);
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  if (node.type === 'Literal') return String(node.value);
  if (node.type !== 'MemberExpression') return undefined;
  return node.computed && node.property.type !== 'Literal' ? undefined : nameOf(node.property);
}
