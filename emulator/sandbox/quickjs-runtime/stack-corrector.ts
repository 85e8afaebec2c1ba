import { createRequire } from 'node:module';

type ErrorPositions = typeof import('../error-positions/error-locator.js');

const require = createRequire(import.meta.url);

/**
 * Corrects the positions in a text with stack traces. The parser that this takes is a file of its own, which only instances
 * whose code fails load.
 */
export class StackCorrector {
  readonly #code: string;
  readonly #fileName: string;
  #locator: InstanceType<ErrorPositions['ErrorLocator']> | undefined;

  constructor(code: string, fileName: string) {
    this.#code = code;
    this.#fileName = fileName;
  }

  correct(text: string): string {
    if (text.length > MAX_TEXT_LENGTH || !text.includes(`${this.#fileName}:`)) return text;
    if (!this.#locator) {
      const { ErrorLocator } = require('#sandbox-error-positions') as ErrorPositions;
      this.#locator = new ErrorLocator(this.#code, this.#fileName);
    }
    return this.#locator.correct(text);
  }
}

/** Longer texts are cut by the limits of the sandbox anyway. */
const MAX_TEXT_LENGTH = 65_536;
