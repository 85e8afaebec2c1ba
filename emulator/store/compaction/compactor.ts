import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { FileSystem } from '../files/file-system.js';
import type { Journal } from '../journal/journal.js';
import { formatLine } from '../journal/line.js';
import type { LineLocation } from '../line-location.js';
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

/** After every change, erases lines that no longer count in place, and rewrites segments with many of them. */
export class Compactor {
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #inTurn = pLimit(1);
  /** A failure is reported once, not at every attempt. */
  #isFailureReported = false;

  constructor(private readonly options: CompactorOptions) {
    this.#schedule(DELAY_MS);
  }

  /** Changes are visible: a round must follow. */
  noteChange(): void {
    this.#schedule(DELAY_MS);
  }

  /** Runs a last round, and another one that removes what the first left without a line that counts. Either may fail. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    for (let round = 0; round < 2; round += 1) await this.#inTurn(() => this.#runRound());
  }

  /** Sees to it that a round follows. */
  #schedule(delay: number): void {
    if (this.#isClosing) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#inTurn(() => this.#runRound());
    }, delay);
  }

  async #runRound(): Promise<void> {
    const { journal, ledger, logger } = this.options;
    const work = await ledger.take();
    try {
      const groups = chooseSegments(journal, ledger);
      // Lines in these segments are deleted with them.
      const rewritten = new Set(groups.flat().map(({ number }) => number));
      await eraseLines(
        work.lines.filter(({ segment }) => !rewritten.has(segment)),
        journal,
      );
      await rewriteSegments(groups, this.options);
      await journal.removeLeftovers();
      ledger.settle(work);
      this.#isFailureReported = false;
      if (!ledger.isEmpty || chooseSegments(journal, ledger).length > 0) this.#schedule(DELAY_MS);
    } catch (error) {
      ledger.putBack(work);
      if (!this.#isFailureReported)
        logger.warn(`Erasing deleted data is delayed: ${(error as Error).message}`);
      this.#isFailureReported = true;
      this.#schedule(RETRY_MS);
    }
  }
}

/** Ranges that are announced and erased at a time. */
const BATCH = 500;
/** Bytes that are overwritten at a time. */
const MAX_RANGE = 1024 * 1024;

/** Overwrites lines in place. They are announced first, so that the next start expects one that was partly erased. */
async function eraseLines(lines: readonly LineLocation[], journal: Journal): Promise<void> {
  const present = new Set(journal.segments.map(({ number }) => number));
  const ranges = rangesOf(lines.filter(({ segment }) => present.has(segment)));
  for (let at = 0; at < ranges.length; at += BATCH) {
    const batch = ranges.slice(at, at + BATCH);
    const erase = batch.map(({ segment, offset, length }) => [segment, offset, length] as const);
    await journal.append([formatLine({ erase })]);
    await journal.erase(batch);
    await sleep(0);
  }
}

/** Joins lines that follow each other. What is erased keeps the line feed at its end only. */
function rangesOf(lines: readonly LineLocation[]): LineLocation[] {
  const ranges: LineLocation[] = [];
  const ordered = lines.toSorted((a, b) => a.segment - b.segment || a.offset - b.offset);
  for (const { segment, offset, length } of ordered) {
    const last = ranges.at(-1);
    const isNext = last?.segment === segment && last.offset + last.length + 1 === offset;
    if (last && isNext && last.length < MAX_RANGE) last.length += 1 + length;
    else ranges.push({ segment, offset, length });
  }
  return ranges;
}
