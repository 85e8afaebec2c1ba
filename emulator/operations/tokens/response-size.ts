import { LIMITS } from '../../../src/contract/limits.js';
import { jsonLength } from '../../expressions/index.js';
import { validationProblem } from '../../problems/problem.js';

/** Tokens up to this length, in characters, are estimated. A page of them is far below the limit. */
const ESTIMATED_LENGTH = 16_384;

/** The size of a list response, charged while the page is built (decisions.md, "Pagination"). */
export class ResponseSize {
  #bytes = 0;

  /**
   * Charges a token.
   * @returns whether the token is large: measuring it took so long that other requests should get their turn
   * @throws ProblemError 400 when the response is too large
   */
  add(token: unknown): boolean {
    const estimate = jsonLength(token, ESTIMATED_LENGTH);
    const isLarge = estimate > ESTIMATED_LENGTH;
    this.#bytes += isLarge ? Buffer.byteLength(JSON.stringify(token)) : estimate;
    if (this.#bytes <= LIMITS.responseBytes) return isLarge;
    throw validationProblem({
      'query.size': [`the tokens of this page are longer than ${LIMITS.responseBytes} bytes; ask for fewer`],
    });
  }
}
