import type { FailureKind, FailurePoint, FailurePoints } from './failure-points.js';
import { findFailurePoints } from './node-visitors.js';
import { type Position, SourceText } from './source-text.js';

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

/**
 * Corrects the positions in stack traces of QuickJS, which records only some of them. It finds the operation that fits the
 * error's message or the frame above.
 */
export class ErrorLocator {
  readonly #fileName: string;
  readonly #code: string;
  #points: FailurePoints | undefined;

  constructor(code: string, fileName: string) {
    this.#code = code;
    this.#fileName = fileName;
  }

  /**
   * Corrects the frames of all stack traces in a text. A position that is not certain becomes
   * `in the function at reactor.js:4:1`. Returns the text as it is if the code cannot be analyzed.
   */
  correct(text: string): string {
    if (!text.includes(`${this.#fileName}:`)) return text;
    try {
      this.#points ??= findFailurePoints(new SourceText(this.#code));
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

  /** @returns the corrected line, and what failed in the next one */
  #correctLine(line: string, failed: Failed): [string, Failed] {
    if (line.length > MAX_LINE_LENGTH) return [line, findFailed('')];
    const native = NATIVE_FRAME.exec(line);
    if (native) return [line, callOf(native[1])];
    const frame = FRAME.exec(line);
    if (!frame || frame[3] !== this.#fileName) return [line, frame ? failed : findFailed(line)];
    const [, indent = '', name, file, lineNumber, column, , suffix = ''] = frame;
    const where = this.#locate(Number(lineNumber), Number(column), failed);
    const place = `${where.inFunction ? 'in the function at ' : ''}${file}:${where.line}:${where.column}`;
    const functionName = name ?? (where.inFunction ? '<anonymous>' : undefined);
    const text = functionName === undefined ? place : `${functionName} (${place})`;
    return [`${indent}${text}${suffix}`, callOf(name)];
  }

  #locate(line: number, column: number, failed: Failed): Position & { inFunction?: boolean } {
    const reported = { line, column };
    const recorded = this.#points?.at(line, column);
    const starts = this.#points?.functionsIn(line) ?? [];
    const candidates = [...(recorded ?? []), ...starts.flatMap(({ points }) => points)];
    const [first, ...others] = selectFailed(candidates, failed);
    if (first && (failed.isCall || others.every((point) => point.line === first.line)))
      return { line: first.line, column: first.column };
    if (recorded && !first) return reported;
    const start = starts.find(({ points }) => points.includes(first as FailurePoint)) ?? starts[0];
    return { ...(start?.position ?? reported), inFunction: true };
  }
}

/** Selects the operations that may have failed. A function may be called by another name than its own. */
function selectFailed(points: readonly FailurePoint[], { kinds, name, isCall }: Failed): FailurePoint[] {
  const sameKind = points.filter(({ kind }) => kinds.includes(kind));
  const named = sameKind.filter((point) => point.name === name);
  if (isCall) return named.length > 0 ? named : sameKind;
  return name === undefined
    ? sameKind
    : sameKind.filter((point) => point.name === undefined || point.name === name);
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
