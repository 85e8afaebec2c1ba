/** Requests that wait for something that tenants share. Tenants take turns, however many requests each has. */
export class FairQueue<Request extends { tenantId: string }> {
  readonly #waiting = new Map<Request, (isAdmitted: boolean) => void>();
  readonly #lastTurns = new Map<string, number>();
  #turn = 0;

  get requests(): Request[] {
    return [...this.#waiting.keys()];
  }

  /** @returns whether the request was admitted before the signal fired */
  wait(request: Request, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isAdmitted: boolean) => {
        this.#waiting.delete(request);
        if (this.#waiting.size === 0) this.#lastTurns.clear();
        signal.removeEventListener('abort', abort);
        resolve(isAdmitted);
      };
      const abort = () => end(false);
      this.#waiting.set(request, end);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  /** Admits one: of the tenant admitted longest ago, that of the lowest rank (Infinity: must wait) that waited longest. */
  admitNext(rankOf: (request: Request) => number): Request | undefined {
    let next: Request | undefined;
    let [earliest, lowest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const request of this.#waiting.keys()) {
      const turn = this.#lastTurns.get(request.tenantId) ?? 0;
      if (turn > earliest) continue;
      const rank = rankOf(request);
      if (rank === Number.POSITIVE_INFINITY || (turn === earliest && rank >= lowest)) continue;
      [earliest, lowest, next] = [turn, rank, request];
    }
    if (next === undefined) return undefined;
    this.#lastTurns.set(next.tenantId, ++this.#turn);
    this.#waiting.get(next)?.(true);
    return next;
  }

  /** Ends the wait of all requests, without admitting them. */
  endAll(): void {
    for (const end of [...this.#waiting.values()]) end(false);
  }
}
