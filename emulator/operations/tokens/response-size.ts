import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../../src/contract/limits.js';
import type { Token } from '../../../src/contract/schemas/index.js';
import { jsonLength } from '../../expressions/index.js';
import { validationProblem } from '../../problems/problem.js';

/** Tokens up to this length, in characters, are estimated. A page of them is far below the limit. */
const ESTIMATED_LENGTH = 16_384;

/** The size of a list response, charged while the page is built (decisions.md, "Pagination"). */
export class ResponseSize {
  #bytes = 0;

  /** @throws ProblemError 400 when the response is too large */
  async add(token: Token): Promise<void> {
    const estimate = jsonLength(token, ESTIMATED_LENGTH);
    if (estimate <= ESTIMATED_LENGTH) this.#bytes += estimate;
    else {
      this.#bytes += Buffer.byteLength(JSON.stringify(token));
      await nextTurn();
    }
    if (this.#bytes <= LIMITS.responseBytes) return;
    throw validationProblem({
      'query.size': [`the tokens of this page are longer than ${LIMITS.responseBytes} bytes; ask for fewer`],
    });
  }
}
