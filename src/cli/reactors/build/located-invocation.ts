import { isObject } from '../../../contract/json.js';
import type { InvocationResult } from '../../emulator/reactor-runner.js';
import {
  findPositions,
  formatPosition,
  isOwnPosition,
  replacePositions,
  type SourcePosition,
  type SourcePositions,
} from './source-positions.js';

/** An invocation whose texts name positions of the sources. */
export interface LocatedInvocation extends InvocationResult {
  /** Where the code threw an error that sets no status: in a file of the project, if one was running. */
  position: SourcePosition | undefined;
}

/**
 * Replaces the position in the message of an error. An error in a package also names the place in the project that called it:
 * `(node_modules/zod/parse.js:12:3, called from charge.ts:8:9)`.
 */
export function locateMessage(message: string, stack: readonly string[], positions: SourcePositions): string {
  const [top] = findPositions(message, positions);
  const located = replacePositions(message, positions);
  const own = findOwnPosition(stack, positions);
  if (!top || !own || isOwnPosition(top)) return located;
  const place = formatPosition(top);
  return located.replace(place, () => `${place}, called from ${formatPosition(own)}`);
}

const findOwnPosition = (stack: readonly string[], positions: SourcePositions): SourcePosition | undefined =>
  findPositions(stack.join('\n'), positions).find(isOwnPosition);

/** For code whose sources are not known. */
const NO_POSITIONS: SourcePositions = { find: () => undefined };

/** Replaces positions of the built code in the console, the stack and the error of an invocation. */
export function locateInvocation(
  { body, console, stack, ...result }: InvocationResult,
  positions: SourcePositions = NO_POSITIONS,
): LocatedInvocation {
  const isProblem = result.status >= 400 && isObject(body) && typeof body.detail === 'string';
  const detail = isProblem ? String(body.detail) : '';
  const [top] = findPositions(detail, positions);
  return {
    ...result,
    body: isProblem ? { ...body, detail: locateMessage(detail, stack, positions) } : body,
    console: console.map((line) => ({ ...line, message: replacePositions(line.message, positions) })),
    stack: stack.map((frame) => replacePositions(frame, positions)),
    position: top && (findOwnPosition(stack, positions) ?? top),
  };
}
