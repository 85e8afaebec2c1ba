import type { InstanceRequest } from './lease.js';

type Waiting = Pick<InstanceRequest, 'reactorId' | 'depth'>;

interface QueueEntry extends Waiting {
  /** Wakes the invocation, which then tries to acquire an instance again. */
  admit(): void;
}

/** Queue of invocations that wait for an instance. */
export class InstanceQueue {
  readonly #entries = new Set<QueueEntry>();

  get length(): number {
    return this.#entries.size;
  }

  /** Resolves when the request is admitted or `signal` fires. */
  wait({ reactorId, depth }: Waiting, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const entry = {
        reactorId,
        depth,
        admit: () => {
          this.#entries.delete(entry);
          signal.removeEventListener('abort', entry.admit);
          resolve();
        },
      };
      this.#entries.add(entry);
      signal.addEventListener('abort', entry.admit);
    });
  }

  /**
   * Admits the next request: the one whose reactor has the fewest running instances, so that a reactor with many invocations
   * does not starve the others. Among equals, the one that has waited longest.
   * @param countRunning returns the running instances of a request's reactor, or Infinity if the request must keep waiting
   */
  admitNext(countRunning: (request: Waiting) => number): void {
    let next: QueueEntry | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries) {
      const count = countRunning(entry);
      if (count < fewest) {
        fewest = count;
        next = entry;
      }
    }
    next?.admit();
  }

  admitAll(): void {
    for (const entry of [...this.#entries]) entry.admit();
  }
}
