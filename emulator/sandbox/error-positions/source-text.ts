import { type Node, type Options, parse, type Token } from 'acorn';

/** A position in the code. Line and column start at 1; columns count UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
};

/** Parsed reactor code: its syntax tree and tokens. */
export class SourceText {
  readonly root: Node;
  readonly #tokens: Token[] = [];
  readonly #code: string;
  readonly #lineStarts: number[] = [0];

  /** @throws SyntaxError if the code parses neither as CommonJS nor as an ES module */
  constructor(code: string) {
    this.#code = code;
    this.root = this.#parse(code);
    for (const { index } of code.matchAll(/\n/g)) this.#lineStarts.push(index + 1);
  }

  /** Returns the start of the first token at or after an offset, or of the first one with a text; the offset if there is none. */
  findToken(offset: number, text?: string): number {
    for (let index = this.#firstTokenAt(offset); index < this.#tokens.length; index++) {
      const { start, end } = this.#tokens[index] as Token;
      if (text === undefined || this.#code.slice(start, end) === text) return start;
    }
    return offset;
  }

  positionOf(offset: number): Position {
    const line = lastIndexAtMost(this.#lineStarts, offset);
    return { line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) + 1 };
  }

  /**
   * Formats the position that QuickJS records for the token at an offset. Its columns count bytes of UTF-8, and it updates
   * the column at names and after white space only.
   */
  engineKey(offset: number): string {
    let index = this.#firstTokenAt(offset);
    while (index > 0 && !this.#updatesColumn(index)) index--;
    const { line } = this.positionOf(offset);
    const lineStart = this.#lineStarts[line - 1] ?? 0;
    const mark = Math.max(lineStart, this.#tokens[index]?.start ?? offset);
    return `${line}:${Buffer.byteLength(this.#code.slice(lineStart, mark)) + 1}`;
  }

  #updatesColumn(index: number): boolean {
    const { start } = this.#tokens[index] as Token;
    const previous = this.#tokens[index - 1];
    return previous === undefined || previous.end < start || /[A-Za-z_$]/.test(this.#code.charAt(start));
  }

  #parse(code: string): Node {
    try {
      return parse(code, { ...OPTIONS, sourceType: 'script', onToken: this.#tokens });
    } catch {
      this.#tokens.length = 0;
      return parse(code, { ...OPTIONS, sourceType: 'module', onToken: this.#tokens });
    }
  }

  #firstTokenAt(offset: number): number {
    const starts = this.#tokens;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as Token).start < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Finds the last of the ascending values that is not above the limit. */
function lastIndexAtMost(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
