import { ServiceError } from '../../../client/errors.js';

/** What the service has of a reactor after an attempt to change it, compared with before. */
export type RemoteState = 'untouched' | 'written' | 'restored' | 'removed' | 'unknown';

/** Whether the service has rejected a request. After a 408 or 409, a 5xx or no response it may have executed it. */
function isRejection(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500 && error.status !== 408 && error.status !== 409;
}

/** Tracks what the service has of one reactor while requests change it, so that a failure can report it. */
export class RemoteStateTracker {
  #state: RemoteState = 'untouched';

  get state(): RemoteState {
    return this.#state;
  }

  /** Sends a request that leads to a state. Until the response arrives, the state is unknown. */
  async change<Result>(to: RemoteState, request: () => Promise<Result>): Promise<Result> {
    const before = this.#state;
    this.#state = 'unknown';
    try {
      const result = await request();
      this.#state = to;
      return result;
    } catch (error) {
      if (isRejection(error)) this.#state = before;
      throw error;
    }
  }
}
