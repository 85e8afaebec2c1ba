import type { Ids } from '../../lib/ids.js';
import type { Logger } from '../../lib/logger.js';
import type { Idempotency } from './idempotency.js';
import { type IdempotentRequest, RESULT_METHOD, type StoredResponse } from './record.js';

/** The invocation that a result belongs to. Only the application that made it may get the result. */
export type Invoker = { tenantId: string; applicationId: string; reactorId: string };

/** Runs an invocation. It adds its tokens to `tokenIds`, and calls `accept` when it will not reject any more. */
type AsyncWork = (tokenIds: Set<string>, accept: () => void, id: string) => Promise<StoredResponse>;

/** The results of react-async, which are stored as the response to an idempotency key is. */
export class AsyncResults {
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly services: {
      ids: Pick<Ids, 'uuid'>;
      idempotency: Pick<Idempotency, 'run' | 'find'>;
      logger: Logger;
    },
  ) {}

  /** Starts the work. @returns the request id, when the work has called `accept`. @throws what the work throws before that */
  start(invoker: Invoker, work: AsyncWork): Promise<string> {
    const { ids, idempotency, logger } = this.services;
    const id = ids.uuid();
    return new Promise((resolve, reject) => {
      let accepted = false;
      const accept = () => {
        accepted = true;
        resolve(id);
      };
      const running = idempotency
        .run(toRequest(invoker, id), (tokenIds) => work(tokenIds, accept, id))
        .then(
          () => {},
          (error) => (accepted ? logger.error('A result could not be stored', error) : reject(error)),
        )
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  /** Returns the result; undefined while the invocation runs, after the result was deleted, and for an unknown id. */
  find(invoker: Invoker, requestId: string): Promise<StoredResponse | undefined> {
    return this.services.idempotency.find(toRequest(invoker, requestId));
  }

  /** Waits until every result is stored. Call it after closing the sandbox, which ends the invocations. */
  async drain(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/** No request has such a method, so that no idempotency key of a client can be the id of a result. */
function toRequest({ tenantId, applicationId, reactorId }: Invoker, requestId: string): IdempotentRequest {
  return {
    tenantId,
    applicationId,
    method: RESULT_METHOD,
    path: reactorId,
    key: requestId,
    holdsSecrets: false,
  };
}
