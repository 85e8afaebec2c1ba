import type { AnyNode, AssignmentExpression, ClassBody, Node, Pattern } from 'acorn';
import { FailurePoints } from './failure-points.js';
import type { SourceText } from './source-text.js';

type NodeType = AnyNode['type'];
type NodeOf<Type extends NodeType> = Extract<AnyNode, { type: Type }>;
type FunctionNode = NodeOf<'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'>;
type Visitors = { [Type in NodeType]?: (node: NodeOf<Type>, points: FailurePoints) => void };

export const findFailurePoints = (text: SourceText): FailurePoints => new FailurePoints(text, visitNode);

/** Visits the children in the order of the source, unless a visitor of the node's type has another one. */
function visitNode(node: AnyNode, points: FailurePoints): void {
  const visitor = VISITORS[node.type] as ((node: AnyNode, points: FailurePoints) => void) | undefined;
  if (visitor) visitor(node, points);
  else points.visitChildren(node);
}

/** Properties of what every reactor function is called with, so that destructuring them never fails. */
const REQUEST_PROPERTIES = ['args', 'configuration', 'svc'];

function isReactorRequest(pattern: Pattern): boolean {
  if (pattern.type !== 'ObjectPattern') return false;
  return pattern.properties.some(
    (property) => property.type === 'Property' && REQUEST_PROPERTIES.includes(nameOf(property.key) ?? ''),
  );
}

function visitFunction(node: FunctionNode, points: FailurePoints): void {
  points.enterFunction(node, () => {
    for (const param of node.params) {
      if (isReactorRequest(param)) points.visitChildren(param);
      else points.visit(param);
    }
    points.visit(node.body);
  });
}

const visitMember = (
  { computed, key, value }: { computed: boolean; key: Node; value?: Node | null },
  points: FailurePoints,
) => points.visit(computed ? key : null, value);

const ignore = () => {};

const VISITORS: Visitors = {
  FunctionDeclaration: visitFunction,
  FunctionExpression: visitFunction,
  ArrowFunctionExpression: visitFunction,
  ClassBody: visitClassBody,
  MethodDefinition: visitMember,
  Property: visitMember,
  ExpressionStatement(node, points) {
    points.record(node.start);
    points.visit(node.expression);
  },
  ThrowStatement(node, points) {
    points.record(points.text.findToken(node.start + 'throw'.length));
    points.visit(node.argument);
  },
  BinaryExpression({ operator, left, right }, points) {
    points.visit(left);
    const offset = points.text.findToken(left.end, operator);
    if (operator !== '**') points.record(points.text.findToken(offset + operator.length));
    points.visit(right);
  },
  CallExpression({ callee, arguments: args }, points) {
    points.visit(callee);
    points.record(points.text.findToken(points.text.findToken(callee.end, '(') + 1));
    points.visit(...args);
    points.add('call', markOf(callee), nameOf(callee));
  },
  NewExpression({ start, callee, arguments: args }, points) {
    points.record(points.text.findToken(start + 'new'.length));
    points.visit(callee, ...args);
    points.add('call', start, nameOf(callee));
  },
  TaggedTemplateExpression({ tag, quasi }, points) {
    points.visit(tag);
    points.record(quasi.start);
    points.visit(quasi);
    points.add('call', markOf(tag), nameOf(tag));
  },
  MemberExpression(node, points) {
    const { object, property, computed, optional } = node;
    points.visit(object, computed ? property : null);
    if (!optional) points.add('read', property.start, nameOf(node));
  },
  AssignmentExpression: visitAssignment,
  UpdateExpression({ argument }, points) {
    points.visit(argument);
    points.add('write', markOf(argument), nameOf(argument));
  },
  ObjectPattern(node, points) {
    points.add('destructure', node.start, undefined);
    points.visitChildren(node);
  },
  ArrayPattern(node, points) {
    points.add('iterate', node.start, undefined);
    points.visitChildren(node);
  },
  SpreadElement({ argument }, points) {
    points.visit(argument);
    points.add('iterate', argument.start, undefined);
  },
  ForOfStatement({ left, right, body }, points) {
    points.visit(left, right);
    points.add('iterate', right.start, undefined);
    points.visit(body);
  },
  ForStatement: ({ init, test, update, body }, points) => points.visit(init, test, body, update),
  Identifier: ({ start, name }, points) => points.add('variable', start, name),
  LabeledStatement: ({ body }, points) => points.visit(body),
  BreakStatement: ignore,
  ContinueStatement: ignore,
  ImportDeclaration: ignore,
};

/** All fields are set by one function, the static ones by another. The engine reports line 0 for both. */
function visitClassBody(node: ClassBody, points: FailurePoints): void {
  for (const isStatic of [false, true]) {
    const visitFields = () => {
      for (const member of node.body) {
        if (member.type === 'PropertyDefinition' && member.static === isStatic) points.visit(member.value);
        if (member.type === 'StaticBlock' && isStatic) points.visitChildren(member);
      }
    };
    points.enterFunction(node, visitFields, 0);
  }
  for (const member of node.body) {
    if (member.type === 'MethodDefinition') points.visit(member);
    if (member.type === 'PropertyDefinition' && member.computed) points.visit(member.key);
  }
}

/** The engine stores after it has evaluated the right side. */
function visitAssignment({ operator, left, right }: AssignmentExpression, points: FailurePoints): void {
  if (left.type === 'Identifier') {
    points.visit(operator === '=' ? null : left, right);
    points.add('variable', left.start, left.name);
  } else if (left.type === 'MemberExpression') {
    points.visit(left.object, left.computed ? left.property : null);
    if (operator !== '=') points.add('read', left.property.start, nameOf(left));
    points.visit(right);
    points.add('write', left.property.start, nameOf(left));
  } else points.visit(left, right);
}

/** Returns the offset that an editor would mark for an operand: the property of a member, otherwise the start. */
function markOf(operand: Node): number {
  const node = operand as AnyNode;
  if (node.type === 'ChainExpression') return markOf(node.expression);
  return node.type === 'MemberExpression' ? node.property.start : node.start;
}

function nameOf(operand: Node): string | undefined {
  const node = operand as AnyNode;
  if (node.type === 'ChainExpression') return nameOf(node.expression);
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  if (node.type === 'Literal') return String(node.value);
  if (node.type !== 'MemberExpression') return undefined;
  return node.computed && node.property.type !== 'Literal' ? undefined : nameOf(node.property);
}
