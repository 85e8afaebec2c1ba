import { type Node, type Options, parse, type SourceLocation, type Token } from 'acorn';

/** A position in the code. Line and column start at 1; columns count UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  locations: true,
  allowHashBang: true,
  allowReturnOutsideFunction: true,
};

/** Parsed reactor code: its syntax tree and tokens. */
export class SourceText {
  readonly root: Node;
  readonly #tokens: Token[] = [];
  /** By offset: the index of the first token that starts there or later. The last token is the end of the code. */
  readonly #firstTokens: Uint32Array;
  readonly #code: string;

  /** @throws SyntaxError if the code parses neither as CommonJS nor as an ES module */
  constructor(code: string) {
    this.#code = code;
    this.root = this.#parse(code);
    this.#firstTokens = new Uint32Array(code.length + 1);
    let index = this.#tokens.length - 1;
    for (let offset = code.length; offset >= 0; offset--) {
      while ((this.#tokens[index - 1]?.start ?? -1) >= offset) index--;
      this.#firstTokens[offset] = index;
    }
  }

  /** Returns the start of the first token at or after an offset, or of the first one with a text; the offset if there is none. */
  findToken(offset: number, text?: string): number {
    for (let index = this.#firstTokens[offset] ?? 0; index < this.#tokens.length; index++) {
      const { start, end } = this.#token(index);
      if (text === undefined || this.#code.slice(start, end) === text) return start;
    }
    return offset;
  }

  /** Returns the position of the first token at or after an offset. */
  positionOf(offset: number): Position {
    const { line, column } = this.#startOf(this.#firstTokens[offset] ?? 0);
    return { line, column: column + 1 };
  }

  /**
   * Formats the position that QuickJS records for the token at an offset. Its columns count bytes of UTF-8, and it updates
   * the column at names and after white space only.
   */
  engineKey(offset: number): string {
    const first = this.#firstTokens[offset] ?? 0;
    let index = first;
    while (index > 0 && !this.#updatesColumn(index)) index--;
    const { line, column } = this.#startOf(first);
    const lineStart = this.#token(first).start - column;
    const mark = Math.max(lineStart, this.#token(index).start);
    return `${line}:${Buffer.byteLength(this.#code.slice(lineStart, mark)) + 1}`;
  }

  #token(index: number): Token {
    return this.#tokens[index] as Token;
  }

  #startOf(index: number): { line: number; column: number } {
    return (this.#token(index).loc as SourceLocation).start;
  }

  #updatesColumn(index: number): boolean {
    const { start } = this.#token(index);
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
}
