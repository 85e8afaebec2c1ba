export interface QueueEntry {
  reactorId: string;
  depth: number;
  /** Wakes the invocation, which then tries to acquire an instance again. */
  admit(): void;
}

/** Queue of invocations that wait for an instance. */
export class InstanceQueue {
  readonly #entries = new Set<QueueEntry>();

  get length(): number {
    return this.#entries.size;
  }

  add(entry: QueueEntry): void {
    this.#entries.add(entry);
  }

  remove(entry: QueueEntry): boolean {
    return this.#entries.delete(entry);
  }

  /**
   * Removes and returns the next entry to admit: the one whose reactor has the fewest running instances, so that a reactor with
   * many invocations does not starve the others. Among equals, the one that has waited longest.
   * @param countRunning returns the running instances of an entry's reactor, or Infinity if the entry must keep waiting
   */
  next(countRunning: (entry: QueueEntry) => number): QueueEntry | undefined {
    let next: QueueEntry | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries) {
      const count = countRunning(entry);
      if (count < fewest) {
        fewest = count;
        next = entry;
      }
    }
    if (next) this.#entries.delete(next);
    return next;
  }
}
