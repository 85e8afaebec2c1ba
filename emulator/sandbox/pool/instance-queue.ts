export interface QueueEntry {
  reactorId: string;
  depth: number;
  /** Lets it try again. */
  admit(): void;
}

/** Invocations that wait for an instance. */
export class InstanceQueue {
  readonly #waiting = new Set<QueueEntry>();

  get length(): number {
    return this.#waiting.size;
  }

  add(entry: QueueEntry): void {
    this.#waiting.add(entry);
  }

  remove(entry: QueueEntry): boolean {
    return this.#waiting.delete(entry);
  }

  /**
   * The next to be served: of those that may run, one whose reactor has the fewest running instances, so that a reactor
   * with many invocations does not hold up the others; the longest waiting of equals.
   * @param running how many instances its reactor occupies; Infinity when it may have no more.
   */
  next(running: (entry: QueueEntry) => number): QueueEntry | undefined {
    let best: QueueEntry | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const entry of this.#waiting) {
      const count = running(entry);
      if (count < fewest) {
        fewest = count;
        best = entry;
      }
    }
    if (best) this.#waiting.delete(best);
    return best;
  }
}
