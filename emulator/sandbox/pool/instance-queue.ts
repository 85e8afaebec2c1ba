import type { Json } from '../../../src/contract/json.js';

/** What an instance is requested for. */
export interface InstanceRequest {
  reactorId: string;
  version: string;
  /** Number of reactors above this one in a chain, each of which holds an instance while it waits. */
  depth: number;
  /** Invocations of different groups take turns while they wait, and each has a share of the instances. */
  group: string;
  /** Whether nobody waits for the result. */
  isBackground: boolean;
  /** What the request keeps in memory while it waits. */
  args?: Json | undefined;
}

type Waiting = Omit<InstanceRequest, 'version' | 'args'>;

interface QueueEntry extends Waiting {
  /** Of the arguments, as JSON. */
  bytes: number;
  /** Wakes the invocation, which then tries to acquire an instance again. */
  admit(): void;
}

/** Queue of invocations that wait for an instance. Groups take turns, however many invocations each has. */
export class InstanceQueue {
  readonly #entries = new Set<QueueEntry>();
  /** The turn in which each group was admitted last. */
  readonly #lastTurns = new Map<string, number>();
  #turn = 0;

  get length(): number {
    return this.#entries.size;
  }

  /** The number of waiting invocations of a group, and the bytes of their arguments. */
  sizeOf(group: string): { length: number; bytes: number } {
    const size = { length: 0, bytes: 0 };
    for (const entry of this.#entries) {
      if (entry.group !== group) continue;
      size.length += 1;
      size.bytes += entry.bytes;
    }
    return size;
  }

  /** Resolves when the request is admitted or `signal` fires. */
  wait(
    { reactorId, depth, group, isBackground }: Waiting,
    bytes: number,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve) => {
      const entry = {
        reactorId,
        depth,
        group,
        isBackground,
        bytes,
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
   * Admits the next request: of the group that was admitted longest ago, the one whose reactor has the fewest running instances,
   * so that neither a group nor a reactor with many invocations starves the others. Among equals, the one that has waited longest.
   * @param countRunning returns the running instances of a request's reactor, or Infinity if the request must keep waiting
   */
  admitNext(countRunning: (request: Waiting) => number): void {
    if (this.#entries.size === 0) this.#lastTurns.clear();
    let next: QueueEntry | undefined;
    let [earliest, fewest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const entry of this.#entries) {
      const turn = this.#lastTurns.get(entry.group) ?? 0;
      if (turn > earliest) continue;
      const count = countRunning(entry);
      if (count === Number.POSITIVE_INFINITY || (turn === earliest && count >= fewest)) continue;
      [earliest, fewest, next] = [turn, count, entry];
    }
    if (!next) return;
    this.#lastTurns.set(next.group, ++this.#turn);
    next.admit();
  }

  admitAll(): void {
    for (const entry of [...this.#entries]) entry.admit();
  }
}
