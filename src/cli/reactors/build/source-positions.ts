import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { isObject } from '../../../contract/json.js';
import type { InvocationResult } from '../../emulator/reactor-runner.js';
import { displayPath } from '../project/selection.js';

export interface SourcePosition {
  /** Relative to the working directory, with forward slashes. */
  file: string;
  line: number;
  column: number;
}

/** Finds the positions of built code in its sources. The service stores the built code only. */
export interface SourcePositions {
  /** Returns undefined for code that the bundler added. Line and column start at 1. */
  find(line: number, column: number): SourcePosition | undefined;
}

/** The name of the code in messages of the service and the emulator. */
const BUILT_FILE = 'reactor.js';
const BUILT_POSITION = new RegExp(String.raw`(?<![\w./-])${BUILT_FILE.replace('.', '\\.')}:(\d+):(\d+)`, 'g');

export const verbatimPositions = (file: string): SourcePositions => ({
  find: (line, column) => ({ file, line, column }),
});

/** Reads positions from a source map (version 3, with paths relative to `directory`), parsed when the first is asked for. */
export function mappedPositions(map: string, directory: string, cwd: string): SourcePositions {
  let parsed: SourceMap | undefined;
  return {
    find(line, column) {
      parsed ??= new SourceMap(JSON.parse(map));
      const entry = parsed.findEntry(line - 1, column - 1);
      if (!('originalSource' in entry) || entry.generatedLine !== line - 1) return undefined;
      const file = displayPath(resolve(directory, entry.originalSource), cwd);
      return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
    },
  };
}

const formatPosition = ({ file, line, column }: SourcePosition): string => `${file}:${line}:${column}`;

const isOwnPosition = ({ file }: SourcePosition): boolean => !/(^|\/)node_modules\//.test(file);

/** Lists the positions of the sources that a text of the service names, such as an error or a stack trace. */
export function findPositions(text: string, positions: SourcePositions): SourcePosition[] {
  return [...text.matchAll(BUILT_POSITION)]
    .map(([, line, column]) => positions.find(Number(line), Number(column)))
    .filter((position) => position !== undefined);
}

/** Replaces positions of the built code in a text: `reactor.js:30:13` becomes `reactors/charge.ts:8:9`. */
export const replacePositions = (text: string, positions: SourcePositions): string =>
  text.replaceAll(BUILT_POSITION, (built, line: string, column: string) => {
    const position = positions.find(Number(line), Number(column));
    return position ? formatPosition(position) : built;
  });

export interface LocatedInvocation extends InvocationResult {
  /** Where the code threw an error that sets no status: in a file of the project, if one was running. */
  position: SourcePosition | undefined;
}

/** An error in a package also names who called it: `(node_modules/zod/parse.js:12:3, called from charge.ts:8:9)`. */
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

export function locateInvocation(
  { body, console, stack, ...result }: InvocationResult,
  positions: SourcePositions,
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
