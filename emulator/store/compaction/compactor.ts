import pLimit from 'p-limit';
import { COLLECTIONS } from '../collections.js';
import type { Documents } from '../documents.js';
import type { FileSystem } from '../files/file-system.js';
import type { LineLocation } from '../line-location.js';
import type { Operation } from '../operation.js';
import type { Tables } from '../tables/tables.js';
import type { Journal } from '../wal/journal.js';
import type { GatheredLines } from './dead-lines.js';
import { eraseLines } from './dead-lines.js';
import { LiveLines } from './live-lines.js';
import { type Activity, rewriteSegments, segmentsToRewrite } from './rewrite-segments.js';

/** Milliseconds from a change to the round that follows it: well inside the second after which nothing may be left of it. */
const DELAY_MS = 100;
/** Milliseconds until the next attempt after a failure, such as a full disk. */
const RETRY_MS = 500;
/** Milliseconds without a change after which the store counts as idle. */
const IDLE_MS = 1000;

interface CompactorOptions {
  files: FileSystem;
  journal: Journal;
  tables: Tables;
  documents: Documents;
  dead: GatheredLines;
  logger: { warn(message: string): void };
}

/**
 * Erases deleted records and compacts segments in the background. A round follows every change: changed documents go to
 * documents.json, lines that no longer count are erased in place, and segments with many dead bytes are rewritten.
 *
 * A line may only disappear after the lines it made obsolete: that of a removal is kept until the removed record's own line
 * has certainly been erased.
 */
export class Compactor {
  readonly #options: CompactorOptions;
  readonly #liveLines: LiveLines;
  readonly dead: GatheredLines;
  /** The revision of the tables. */
  #applied = 0;
  /** What was removed up to this revision has been erased. */
  #erased = 0;
  #changedAt = 0;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  readonly #inTurn = pLimit(1);
  /** A failure is reported once, not at every attempt. */
  #isFailureReported = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.dead = options.dead;
    this.#liveLines = new LiveLines(options.tables, options.documents);
  }

  /** The line of a removal: dead from the start, but kept until what it removed has been erased. */
  noteRemoval = (revision: number, line: LineLocation): void => {
    this.dead.markDead(line);
    const segment = this.#options.journal.segments.get(line.segment);
    if (segment !== undefined) segment.lastRemoval = Math.max(segment.lastRemoval, revision);
  };

  /** The journal has an operation. Must be called in the order of revisions. */
  noteWritten(operation: Operation, line: LineLocation): void {
    const { documents } = this.#options;
    const { op, revision } = operation;
    if (op === 'clear') {
      this.#liveLines.noteClear(revision, operation.tenantId);
      documents.noteChange(revision);
    } else if (COLLECTIONS[operation.collection].kind === 'document') {
      documents.noteChange(revision, line);
    } else if (op === 'remove') this.noteRemoval(revision, line);
  }

  /** Everything up to a revision is visible. */
  noteApplied(revision: number): void {
    this.#applied = revision;
    this.#changedAt = performance.now();
    this.#schedule(DELAY_MS);
  }

  /** Discards what was written before everything was cleared, also in segments that compaction wrote since. */
  discardAllSegmentsBut(id: number): void {
    const { documents, journal } = this.#options;
    for (const segment of journal.segments.values()) if (segment.id !== id) journal.markObsolete(segment);
    this.dead.clear();
    documents.forgetLines();
    this.#schedule(DELAY_MS);
  }

  /** Runs a task during which no line is moved or erased. */
  whilePaused<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(task);
  }

  /** Begins to work, with `revision` that of the tables. Before, work is only noted. */
  start(revision: number): void {
    this.#isRunning = true;
    this.noteApplied(revision);
  }

  /** Runs a last round, whether or not it succeeds. */
  async close(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.whilePaused(() => this.#runRound());
  }

  /** Sees to it that a round begins in a time, if none begins sooner. */
  #schedule(delay: number): void {
    const dueAt = performance.now() + delay;
    if (!this.#isRunning || (this.#timer !== undefined && this.#dueAt <= dueAt)) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.whilePaused(() => this.#runRound());
    }, delay);
  }

  async #runRound(): Promise<void> {
    const { documents, journal, logger } = this.#options;
    const revision = this.#applied;
    let erasing: LineLocation[] = [];
    try {
      for (const line of await documents.flush(revision)) this.dead.scheduleErase(line);
      erasing = await this.dead.take();
      const segments = segmentsToRewrite(journal, this.#activity);
      // Lines in these segments are deleted with them.
      const ids = new Set(segments.map(({ id }) => id));
      const inPlace = erasing.filter(({ segment }) => !ids.has(segment));
      await eraseLines(inPlace, journal, this.dead);
      await rewriteSegments(segments, {
        ...this.#options,
        liveLines: this.#liveLines,
        erased: this.#erased,
        noteRemoval: this.noteRemoval,
      });
      this.#erased = revision;
      this.#isFailureReported = false;
      const isMoreToDo = !this.dead.isEmpty || segmentsToRewrite(journal, this.#activity).length > 0;
      if (isMoreToDo) this.#schedule(DELAY_MS);
      else if (this.#activity === 'busy') this.#schedule(IDLE_MS);
    } catch (error) {
      this.dead.putBack(erasing);
      if (!this.#isFailureReported) {
        logger.warn(`Erasing deleted data is delayed: ${(error as Error).message}`);
      }
      this.#isFailureReported = true;
      this.#schedule(RETRY_MS);
    }
  }

  get #activity(): Activity {
    if (!this.#isRunning) return 'closing';
    return performance.now() - this.#changedAt >= IDLE_MS ? 'idle' : 'busy';
  }
}
