import { type FailureKind, findOperations, type Operation, type Position } from './operations.js';

/** Errors that the engine itself throws, by message, and the operations that throw them. */
const ENGINE_ERRORS: readonly { pattern: RegExp; kinds: readonly FailureKind[] }[] = [
  { pattern: /cannot read property '(.*)' of (?:undefined|null)$/, kinds: ['read'] },
  { pattern: /cannot set property '(.*)' of (?:undefined|null)$/, kinds: ['write'] },
  { pattern: /^ReferenceError: '?(.+?)'? is not (?:defined|initialized)$/, kinds: ['variable'] },
  { pattern: /'(.+)' is read-only$/, kinds: ['variable', 'write'] },
  { pattern: /Cannot convert undefined or null to object$/i, kinds: ['destructure'] },
  { pattern: /(?:is )?not iterable$/, kinds: ['iterate'] },
];

const FRAME = /^(\s+at )(?:(.*) \()?(.+):(\d+):(\d+)(\)?)((?: \{)?)$/;
const NATIVE_FRAME = /^\s+at (.*) \(<anonymous>\)$/;

/** Longer lines are neither frames nor messages of the engine, and would take the patterns long. */
const MAX_LINE_LENGTH = 1_000;

/** What is known of the frame above, or of the error: which operation of the frame failed. */
interface Failed {
  kinds: readonly FailureKind[];
  /** undefined if it is not known */
  name: string | undefined;
  isCall: boolean;
}

/** Corrects positions in stack traces of QuickJS: finds the operation that fits the message or the frame above. */
export class ErrorLocator {
  #operations: Operation[] | undefined;

  constructor(
    private readonly code: string,
    private readonly fileName: string,
  ) {}

  /** Corrects frames of stack traces. An uncertain position becomes `in the function at reactor.js:4:1`. */
  correct(text: string): string {
    if (!text.includes(`${this.fileName}:`)) return text;
    try {
      this.#operations ??= findOperations(this.code);
    } catch {
      return text;
    }
    let failed = findFailed('');
    return text
      .split('\n')
      .map((line) => {
        const [corrected, next] = this.#correctLine(line, failed);
        failed = next;
        return corrected;
      })
      .join('\n');
  }

  #correctLine(line: string, failed: Failed): [string, Failed] {
    if (line.length > MAX_LINE_LENGTH) return [line, findFailed('')];
    const native = NATIVE_FRAME.exec(line);
    if (native) return [line, callOf(native[1])];
    const frame = FRAME.exec(line);
    if (!frame || frame[3] !== this.fileName) return [line, frame ? failed : findFailed(line)];
    const [, indent = '', name, file, lineNumber, column, , suffix = ''] = frame;
    const where = this.#locate(Number(lineNumber), Number(column), failed);
    const place = `${where.inFunction ? 'in the function at ' : ''}${file}:${where.line}:${where.column}`;
    const functionName = name ?? (where.inFunction ? '<anonymous>' : undefined);
    const text = functionName === undefined ? place : `${functionName} (${place})`;
    return [`${indent}${text}${suffix}`, callOf(name)];
  }

  #locate(line: number, column: number, failed: Failed): Position & { inFunction?: boolean } {
    const operations = this.#operations ?? [];
    const inLine = operations.filter(({ reported }) => reported.line === line);
    const around = operations.filter(
      (one) => one.function.start.line <= line && line <= one.function.lastLine,
    );
    const candidates = selectFailed(inLine, failed);
    // The engine compiles some code in another order than that of the source, such as the update of a loop.
    if (candidates.length === 0 && !failed.isCall) candidates.push(...selectFailed(around, failed));
    const [first = inLine[0]] = candidates;
    if (candidates.length === 0 || !first) return { line, column, ...(!first && { inFunction: true }) };
    if (!failed.isCall && candidates.some((one) => one.line !== first.line))
      return { ...first.function.start, inFunction: true };
    // The engine counts bytes, and updates the column at names and after white space only.
    const nearest = candidates.find(({ reported }) => reported.column >= column) ?? first;
    return { line: nearest.line, column: nearest.column };
  }
}

/** Selects the operations that may have failed. A function may be called by another name than its own. */
function selectFailed(operations: readonly Operation[], { kinds, name, isCall }: Failed): Operation[] {
  const sameKind = operations.filter(({ kind }) => kinds.includes(kind));
  const named = sameKind.filter((one) => one.name === name);
  if (isCall) return named.length > 0 ? named : sameKind;
  return name === undefined
    ? sameKind
    : sameKind.filter((one) => one.name === undefined || one.name === name);
}

const callOf = (name: string | undefined): Failed => ({
  isCall: true,
  kinds: ['call'],
  name: name === '<anonymous>' ? undefined : name?.replace(/^.* /, ''),
});

/** Finds the operations that throw an error with a message. Errors that are not the engine's are thrown by `new`. */
function findFailed(header: string): Failed {
  for (const { pattern, kinds } of ENGINE_ERRORS) {
    const match = pattern.exec(header);
    if (match) return { kinds, name: match[1], isCall: false };
  }
  return callOf(/^(\w+)(?::|$)/.exec(header)?.[1]);
}
