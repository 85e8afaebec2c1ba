import pLimit from 'p-limit';
import type { FileSystem } from '../files/file-system.js';
import type { Journal } from '../journal/journal.js';
import { eraseLines } from './erase-lines.js';
import type { LineLedger } from './line-ledger.js';
import { chooseSegments, rewriteSegments } from './rewrite-segments.js';

/** Milliseconds from a change to the round that follows it: well inside the second after which nothing may be left of it. */
const DELAY_MS = 100;
/** Milliseconds until the next attempt after a failure, such as a full disk. */
const RETRY_MS = 500;

interface CompactorOptions {
  files: FileSystem;
  journal: Journal;
  ledger: LineLedger;
  logger: { warn(message: string): void };
}

/**
 * Erases deleted records and compacts segments in the background. A round follows every change: lines that no longer count are
 * erased in place, and segments with many such lines are rewritten without them.
 */
export class Compactor {
  readonly #options: CompactorOptions;
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #inTurn = pLimit(1);
  /** A failure is reported once, not at every attempt. */
  #isFailureReported = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#schedule(DELAY_MS);
  }

  /** Changes are visible: a round must follow. */
  noteChange(): void {
    this.#schedule(DELAY_MS);
  }

  /** Runs a task during which no line is moved or erased. */
  whilePaused<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(task);
  }

  /** Runs a last round, and another one that removes what the first left without a line that counts. Either may fail. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    for (let round = 0; round < 2; round += 1) await this.whilePaused(() => this.#runRound());
  }

  /** Sees to it that a round follows. */
  #schedule(delay: number): void {
    if (this.#isClosing) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.whilePaused(() => this.#runRound());
    }, delay);
  }

  async #runRound(): Promise<void> {
    const { journal, ledger, logger } = this.#options;
    const work = await ledger.take();
    try {
      const groups = chooseSegments(journal, ledger);
      // Lines in these segments are deleted with them.
      const rewritten = new Set(groups.flat().map(({ number }) => number));
      await eraseLines(
        work.lines.filter(({ segment }) => !rewritten.has(segment)),
        journal,
      );
      await rewriteSegments(groups, this.#options);
      await journal.removeLeftovers();
      ledger.settle(work);
      this.#isFailureReported = false;
      if (!ledger.isEmpty || chooseSegments(journal, ledger).length > 0) this.#schedule(DELAY_MS);
    } catch (error) {
      ledger.putBack(work);
      if (!this.#isFailureReported) {
        logger.warn(`Erasing deleted data is delayed: ${(error as Error).message}`);
      }
      this.#isFailureReported = true;
      this.#schedule(RETRY_MS);
    }
  }
}
