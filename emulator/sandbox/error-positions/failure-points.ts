import type { AnyNode, Node } from 'acorn';
import type { Position, SourceText } from './source-text.js';

/** What an operation does when it fails. */
export type FailureKind = 'call' | 'read' | 'write' | 'variable' | 'destructure' | 'iterate';

/** An operation that can throw, and where an editor would mark it. */
export interface FailurePoint extends Position {
  kind: FailureKind;
  /** Name of the property, variable or called function; undefined if it is computed. */
  name: string | undefined;
}

/** A function and its operations before the first position that the engine records in it. */
interface FunctionStart {
  /** The line that the engine reports. */
  line: number;
  position: Position;
  points: readonly FailurePoint[];
}

type VisitNode = (node: AnyNode, points: FailurePoints) => void;

/**
 * Lists the operations of the code that can throw by the position that QuickJS reports for them. The engine records positions
 * for expression statements, calls, `new`, `throw` and right operands only. It reports every other operation with the last
 * recorded position before it in the same function, or with the start of the function.
 */
export class FailurePoints {
  readonly text: SourceText;
  readonly #visit: VisitNode;
  readonly #recorded = new Map<string, FailurePoint[]>();
  readonly #functions: FunctionStart[] = [];
  /** The operations since the last recorded position of the current function. */
  #current: FailurePoint[] = [];

  /** @param visit adds the operations of a node and its children, in the order in which the engine compiles them */
  constructor(text: SourceText, visit: VisitNode) {
    this.text = text;
    this.#visit = visit;
    this.enterFunction(text.root, () => this.visitChildren(text.root), 1);
  }

  /** Finds the operations by a position of the engine. */
  at(line: number, column: number): readonly FailurePoint[] | undefined {
    return this.#recorded.get(`${line}:${column}`);
  }

  /** Finds the functions that start in a line of the engine. */
  functionsIn(line: number): readonly FunctionStart[] {
    return this.#functions.filter((start) => start.line === line);
  }

  visit(...nodes: readonly (Node | null | undefined)[]): void {
    for (const node of nodes) if (node) this.#visit(node as AnyNode, this);
  }

  visitChildren(node: Node): void {
    const children = Object.values(node)
      .flat()
      .filter((value): value is AnyNode => typeof value?.type === 'string');
    this.visit(...children.sort((one, other) => one.start - other.start));
  }

  /** @param line the line that the engine reports for the start, if it is not the line of the node */
  enterFunction(node: Node, visit: () => void, line?: number): void {
    const outer = this.#current;
    this.#current = [];
    const position = this.text.positionOf(node.start);
    this.#functions.push({ line: line ?? position.line, position, points: this.#current });
    visit();
    this.#current = outer;
  }

  /** Starts the operations that the engine reports with the position of the token at an offset. */
  record(offset: number): void {
    const key = this.text.engineKey(offset);
    this.#current = this.#recorded.get(key) ?? [];
    this.#recorded.set(key, this.#current);
  }

  add(kind: FailureKind, offset: number, name: string | undefined): void {
    this.#current.push({ kind, name, ...this.text.positionOf(offset) });
  }
}
