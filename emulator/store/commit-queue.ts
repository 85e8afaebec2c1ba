import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../lib/logger.js';
import { Batch, type QueuedCommit } from './batch.js';
import type { CommitTarget } from './commit-target.js';
import { BatchAbortedError } from './errors.js';
import type { Change, Entry } from './store.js';

/** Milliseconds that entries nobody waits for are gathered before they are written. */
const GATHER_MS = 50;
/** Entries above which they are written at once. */
const GATHER_ENTRIES = 1000;

/** Validates commits in turn and gathers them while the batch before is written. They are visible when durable. */
export class CommitQueue {
  #queue: QueuedCommit[] = [];
  /** Commits of the last batch that are durable and not resolved yet. */
  #written: readonly QueuedCommit[] = [];
  #entries: Entry[] = [];
  /** Resolved when the entries that were recorded before are written. */
  #entriesWaiters: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly target: CommitTarget,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Whether nothing is queued, and nothing is being written. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#queue.length === 0 && this.#entries.length === 0;
  }

  commit(changes: Change[]): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#queue.push({ changes, resolve, reject });
      void this.#start();
    });
  }

  record(entries: Entry[]): void {
    // Not `push(...entries)`: the number of arguments of a call is limited.
    for (const entry of entries) this.#entries.push(entry);
    if (this.#entries.length > GATHER_ENTRIES) void this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), GATHER_MS);
  }

  /** Waits for the entries that were recorded before the call, however many commits follow. */
  async writeEntries(): Promise<void> {
    if (this.#entries.length === 0 && this.#running === undefined) return;
    await new Promise<void>((resolve) => {
      this.#entriesWaiters.push(resolve);
      void this.#start();
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#start().then(() => this.target.close());
    return this.#closed;
  }

  /** Writes batches until nothing is queued. */
  #start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      do {
        // Commits of the same turn of the event loop share a batch. Even with nothing to do this must not end before
        // `#start` has assigned `#running`. After a batch, those that have arrived in the meantime are written at once.
        if (this.#written.length === 0) await nextTurn();
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const waiters = this.#entriesWaiters;
        this.#entriesWaiters = [];
        // What was aborted is in the queue again.
        if (await this.#writeBatch()) for (const resolve of waiters) resolve();
        else this.#entriesWaiters = [...waiters, ...this.#entriesWaiters];
        if (this.#queue.length === 0) this.#resolveWritten();
      } while (this.#queue.length > 0 || this.#entries.length > 0 || this.#entriesWaiters.length > 0);
    } finally {
      this.#running = undefined;
    }
  }

  /** @returns whether the batch has ended, and need not be repeated */
  async #writeBatch(): Promise<boolean> {
    const [queue, entries] = [this.#queue, this.#entries];
    if (queue.length === 0 && entries.length === 0) return true;
    this.#queue = [];
    this.#entries = [];
    const batch = new Batch(queue, entries);
    try {
      const changes = queue.map((commit) => commit.changes);
      const beginning = this.target.begin(changes, entries);
      if (beginning instanceof Promise) this.#resolveWritten();
      const start = await beginning;
      const later = await batch.gatherCommits(this.target, start);
      this.#queue = [...later, ...this.#queue];
      await batch.gatherEntries(this.target, start, (error) => this.#reportLost(1, error));
      const writing = this.target.write(batch.pending, batch.revision);
      this.#resolveWritten();
      await writing;
      this.#written = batch.commits;
      return true;
    } catch (error) {
      this.#resolveWritten();
      return this.#end(batch, error);
    }
  }

  /** Resolves the commits of the last batch after the next is sent, so that the disk works while their callers do. */
  #resolveWritten(): void {
    const written = this.#written;
    this.#written = [];
    for (const { resolve } of written) resolve();
  }

  /** Ends a batch that failed. @returns whether it need not be repeated */
  #end({ commits, entries }: Batch, error: unknown): boolean {
    if (error instanceof BatchAbortedError) {
      this.#queue = [...commits, ...this.#queue];
      this.#entries = [...entries, ...this.#entries];
      return false;
    }
    for (const { reject } of commits) reject(error);
    if (entries.length > 0) this.#reportLost(entries.length, error);
    return true;
  }

  #reportLost(entries: number, error: unknown): void {
    const { message } = error as Error;
    this.logger.warn(`Entries of the audit log could not be written (${entries}): ${message}`);
  }
}
