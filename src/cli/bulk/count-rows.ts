import type { Readable } from 'node:stream';
import { decodeTextStream } from '../lib/text-file.js';
import type { BulkFormat } from './rejects.js';

const [LINE_FEED, CARRIAGE_RETURN, SPACE, QUOTE, COMMA] = [10, 13, 32, 34, 44] as const;

/** Counts the lines that are not empty. */
class NdjsonCounter {
  rows = 0;
  #isEmpty = true;

  add(character: number): void {
    if (character === LINE_FEED) this.end();
    else if (character > SPACE) this.#isEmpty = false;
  }

  end(): void {
    if (!this.#isEmpty) this.rows++;
    this.#isEmpty = true;
  }
}

/** Counts the records after the heading. A quote begins a quoted cell only at the start of the cell. */
class CsvCounter {
  #records = 0;
  #isEmpty = true;
  #state: 'cell start' | 'cell' | 'quoted' | 'quote closed' = 'cell start';

  get rows(): number {
    return Math.max(0, this.#records - 1);
  }

  add(character: number): void {
    if (this.#state === 'quoted') {
      if (character === QUOTE) this.#state = 'quote closed';
    } else if (character === LINE_FEED || character === CARRIAGE_RETURN) this.end();
    else {
      this.#isEmpty = false;
      if (character === COMMA) this.#state = 'cell start';
      // After a quote that has just closed: a doubled quote.
      else if (character === QUOTE && this.#state !== 'cell') this.#state = 'quoted';
      else this.#state = 'cell';
    }
  }

  end(): void {
    if (!this.#isEmpty) this.#records++;
    this.#isEmpty = true;
    this.#state = 'cell start';
  }
}

/**
 * Counts the rows of a source without parsing them, as its reader numbers them.
 * @throws {CliError} if it is neither UTF-8 nor UTF-16
 */
export async function countRows(source: Readable, format: BulkFormat): Promise<number> {
  const counter = format === 'csv' ? new CsvCounter() : new NdjsonCounter();
  for await (const text of decodeTextStream(source, 'The source'))
    for (let index = 0; index < text.length; index++) counter.add(text.charCodeAt(index));
  counter.end();
  return counter.rows;
}
