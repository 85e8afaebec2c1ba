import { type AnyNode, type Node, type Options, parse, type SourceLocation } from 'acorn';
import { fullAncestor } from 'acorn-walk';

/** A position in the code. Line and column start at 1; columns count UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** What an operation does when it fails. */
export type FailureKind = 'call' | 'read' | 'write' | 'variable' | 'destructure' | 'iterate';

/** An operation that can throw, and where an editor would mark it. */
export interface Operation extends Position {
  kind: FailureKind;
  /** Name of the property, variable or called function; undefined if it is computed. */
  name: string | undefined;
  /** The position that the engine reports. */
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
    own.push(...stepsOf(node as AnyNode, type));
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

/** @param type the role of the node, which tells a variable that is read from one that is declared */
function stepsOf(node: AnyNode, type: string): Step[] {
  const recorded = findRecorded(node);
  const operation = findOperation(node, type);
  return [...(recorded ? [recorded] : []), ...(operation ? [operation] : [])];
}

const recordAt = (node: Node): Step => ({ offset: node.start, recorded: startOf(node) });

function findRecorded(node: AnyNode): Step | undefined {
  switch (node.type) {
    case 'ExpressionStatement':
      return recordAt(node);
    case 'ThrowStatement':
      return recordAt(node.argument);
    case 'NewExpression':
      return recordAt(node.callee);
    case 'TaggedTemplateExpression':
      return recordAt(node.quasi);
    case 'BinaryExpression':
      return node.operator === '**' ? undefined : recordAt(node.right);
    case 'CallExpression': {
      const [first] = node.arguments;
      const { line, column } = (node.loc as SourceLocation).end;
      return first ? recordAt(first) : { offset: node.end - 1, recorded: { line, column } };
    }
    default:
      return undefined;
  }
}

const createStep = (kind: FailureKind, operand: Node, offset: number): Step => ({
  offset,
  operation: { kind, name: nameOf(operand), ...startOf(markOf(operand)) },
});

/** Most operations run after their operands have been evaluated. */
function findOperation(node: AnyNode, type: string): Step | undefined {
  switch (node.type) {
    case 'CallExpression':
      return createStep('call', node.callee, node.end);
    case 'NewExpression':
      return { offset: node.end, operation: { kind: 'call', name: nameOf(node.callee), ...startOf(node) } };
    case 'TaggedTemplateExpression':
      return createStep('call', node.tag, node.end);
    case 'MemberExpression':
      return node.optional ? undefined : createStep('read', node, node.end);
    case 'AssignmentExpression':
      return createStep(node.left.type === 'Identifier' ? 'variable' : 'write', node.left, node.end);
    case 'UpdateExpression':
      return createStep('write', node.argument, node.end);
    case 'ObjectPattern':
      return isReactorRequest(node.properties) ? undefined : createStep('destructure', node, node.start);
    case 'ArrayPattern':
      return createStep('iterate', node, node.start);
    case 'SpreadElement':
      return createStep('iterate', node.argument, node.end);
    case 'ForOfStatement':
      return createStep('iterate', node.right, node.right.end);
    case 'Identifier':
      return type === 'Identifier' ? createStep('variable', node, node.end) : undefined;
    default:
      return undefined;
  }
}

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
