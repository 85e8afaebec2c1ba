import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS } from '../collections.js';
import type { Documents } from '../documents.js';
import type { Logger } from '../logger.js';
import type { Operation } from '../operation.js';
import type { RecordLocation } from '../record-location.js';
import type { Journal } from '../wal/journal.js';
import { formatLine } from '../wal/line-codec.js';
import { markObsolete, SEGMENT_BYTES, type Segment } from '../wal/segment.js';
import type { SegmentRewriter } from './segment-rewriter.js';

/** Milliseconds from a deletion to the blanking of its line: well inside the second in which it must be forgotten. */
const DELAY_MS = 100;
/** After a failure (a full disk, say). */
const RETRY_MS = 500;
/** Share of dead bytes above which a segment is written anew without them: while there is other work, and else. */
const DEAD_SHARE = { busy: 0.5, idle: 0.15 };
/** Milliseconds without a change after which nobody is kept waiting by more. */
const IDLE_MS = 1000;
/** So many small segments are packed into one. */
const SMALL_SEGMENTS = 8;
const SMALL_BYTES = 512 * 1024;
/** Lines named in one announcement of blanking. */
const BLANK_AT_ONCE = 500;

export interface CompactorOptions {
  journal: Journal;
  documents: Documents;
  packer: SegmentRewriter;
  logger: Logger;
}

/**
 * Forgets what is to be forgotten and keeps the journal small, a little at a time and beside everything else: small
 * documents go to documents.json, lines that no longer count are blanked where they stand, segments with much that is dead
 * are packed.
 *
 * A line may only disappear after the lines it made obsolete: the removal of a record is kept until the record's own line
 * has certainly gone. `#forgotten` is the revision up to which that holds.
 */
export class Compactor {
  readonly #options: CompactorOptions;
  #toBlank: RecordLocation[] = [];
  #applied = 0;
  #forgotten = 0;
  #scheduled: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #running = false;
  #idle: NodeJS.Timeout | undefined;
  #changedAt = 0;
  /** Said once, not at every try. */
  #delayed = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  /** The line of a record that was replaced or removed: to be blanked. */
  bury = (place: RecordLocation): void => {
    this.retire(place);
    this.#toBlank.push(place);
    this.#schedule(DELAY_MS);
  };

  /** A line that no longer counts, but holds nothing that must go. */
  retire = ({ segment, length }: RecordLocation): void => {
    const of = this.#options.journal.segments.get(segment);
    if (of !== undefined) of.dead += length + 1;
  };

  /** The line of a removal: dead from the start, but kept until what it removed has gone. */
  removed = (revision: number, place: RecordLocation): void => {
    this.retire(place);
    const segment = this.#options.journal.segments.get(place.segment);
    if (segment !== undefined) segment.lastRemoval = Math.max(segment.lastRemoval, revision);
  };

  /** Everything there is in other segments is void, those packed meanwhile among them, whose ids are higher. */
  forgetAllSegmentsBut(id: number): void {
    for (const segment of this.#options.journal.segments.values()) {
      if (segment.id !== id) markObsolete(segment);
    }
    this.#toBlank = [];
    this.#options.documents.forgetPlaces();
    this.#schedule(DELAY_MS);
  }

  written(operation: Operation, place: RecordLocation): void {
    if (operation.op === 'clear') {
      this.#options.packer.keepClear(operation);
      this.#options.documents.changed(operation.revision);
    } else if (COLLECTIONS[operation.collection].kind === 'document') {
      this.#options.documents.changed(revisionOf(operation), place);
    } else if (operation.op === 'remove') this.removed(operation.revision, place);
  }

  applied(revision: number): void {
    this.#applied = revision;
    this.#changedAt = performance.now();
    if (this.#options.documents.isDirty || this.#needsPacking()) this.#schedule(DELAY_MS);
    this.#awaitIdleness();
  }

  /** Runs a task while nothing is moved or blanked. */
  undisturbed<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(task);
    this.#turn = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /** Until then it only takes note of what there is to do. */
  start(revision: number): void {
    this.#applied = revision;
    this.#running = true;
    this.#changedAt = performance.now();
    this.#awaitIdleness();
    if (this.#toBlank.length > 0 || this.#options.documents.isDirty || this.#needsPacking()) {
      this.#schedule(DELAY_MS);
    }
  }

  /** Does what is left to do; gives up on what the disk refuses. */
  async close(): Promise<void> {
    this.#running = false;
    clearTimeout(this.#scheduled);
    clearTimeout(this.#idle);
    this.#changedAt = performance.now();
    await this.#turn;
    await this.#round();
  }

  #schedule(delay: number): void {
    if (!this.#running) return;
    this.#scheduled ??= setTimeout(() => {
      this.#scheduled = undefined;
      void this.undisturbed(() => this.#round());
    }, delay);
  }

  async #round(): Promise<void> {
    const upTo = this.#applied;
    let places: RecordLocation[] = [];
    try {
      await this.#options.documents.flush(upTo, this.bury);
      places = this.#toBlank.splice(0);
      await this.#forget(places);
      this.#forgotten = upTo;
      this.#delayed = false;
      if (this.#toBlank.length > 0 || this.#needsPacking()) this.#schedule(DELAY_MS);
    } catch (error) {
      for (const place of places) this.#toBlank.push(place);
      if (!this.#delayed) {
        this.#options.logger.warn(`Forgetting deleted data is delayed: ${(error as Error).message}`);
      }
      this.#delayed = true;
      this.#schedule(RETRY_MS);
    }
  }

  async #forget(places: RecordLocation[]): Promise<void> {
    const packed = this.#segmentsToPack();
    const stays = new Set(packed.map(({ id }) => id));
    await this.#blank(places.filter(({ segment }) => !stays.has(segment)));
    for (const group of groups(packed)) await this.#options.packer.pack(group, this.#forgotten, this);
  }

  /** Announced before it begins, so that a line found half blanked at the next start is no surprise. */
  async #blank(places: RecordLocation[]): Promise<void> {
    const { journal } = this.#options;
    for (let at = 0; at < places.length; at += BLANK_AT_ONCE) {
      const some = places
        .slice(at, at + BLANK_AT_ONCE)
        .filter(({ segment }) => journal.segments.has(segment));
      const scrub = some.map(({ segment, offset, length }): [number, number, number] => [
        segment,
        offset,
        length,
      ]);
      if (scrub.length === 0) continue;
      for (const place of await journal.append([formatLine({ scrub })])) this.retire(place);
      await journal.erase(some);
      await sleep(0);
    }
  }

  get #isIdle(): boolean {
    return performance.now() - this.#changedAt >= IDLE_MS;
  }

  /** One timer for any number of changes. */
  #awaitIdleness(): void {
    if (!this.#running) return;
    this.#idle ??= setTimeout(() => {
      this.#idle = undefined;
      if (!this.#isIdle) this.#awaitIdleness();
      else if (this.#needsPacking()) this.#schedule(0);
    }, IDLE_MS);
  }

  #needsPacking(): boolean {
    return this.#segmentsToPack().length > 0;
  }

  #segmentsToPack(): Segment[] {
    const { journal } = this.#options;
    const closed = [...journal.segments.values()].filter(
      ({ id, isDamaged }) => id !== journal.activeId && !isDamaged,
    );
    const deadShare = this.#isIdle ? DEAD_SHARE.idle : DEAD_SHARE.busy;
    const small = closed.filter(({ size }) => size < SMALL_BYTES);
    return closed.filter(
      (segment) =>
        segment.dead > segment.size * deadShare ||
        (small.length >= SMALL_SEGMENTS && small.includes(segment)),
    );
  }
}

/** Segments that make one of the usual size together. */
function groups(segments: Segment[]): Segment[][] {
  const all: Segment[][] = [];
  let room = 0;
  for (const segment of segments) {
    const live = segment.size - segment.dead;
    if (all.length === 0 || live > room) {
      all.push([]);
      room = SEGMENT_BYTES;
    }
    all.at(-1)?.push(segment);
    room -= live;
  }
  return all;
}

function revisionOf(operation: Exclude<Operation, { op: 'clear' }>): number {
  return operation.op === 'put' ? operation.record.revision : operation.revision;
}
