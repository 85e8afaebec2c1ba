import { LRUCache } from 'lru-cache';
import type { Json } from '../../../src/contract/json.js';
import type { ReactorCode, SvcCall } from '../invocation.js';
import type { LoadError } from '../outcome.js';
import type { MessageFromWorker, SvcFailure, SvcResponse } from '../protocol.js';

/** Executes one `svc` call of reactor code. Never rejects: an error becomes plain data, without the stack of the host. */
export async function respondToSvc(
  svc: SvcCall | null,
  { call, method, params }: Extract<MessageFromWorker, { type: 'svc' }>,
): Promise<SvcResponse> {
  try {
    if (!svc) throw new Error('svc is not available: the reactor has no application.');
    const result = await svc(method, JSON.parse(params));
    return { type: 'svc-response', call, json: JSON.stringify(result ?? null) };
  } catch (error) {
    return { type: 'svc-response', call, failure: toSvcFailure(error) };
  }
}

function toSvcFailure(error: unknown): SvcFailure {
  const { message, status, errors } = error as Error & { status?: unknown; errors?: unknown };
  return {
    message,
    ...(typeof status === 'number' && { status }),
    ...(errors !== undefined && { errors: errors as Json }),
  };
}

const MAX_ENTRIES = 1_000;

/** Remembers code that does not load. It would fail the same way again, so no instance is spent on it. */
export class LoadErrorCache {
  readonly #errors = new LRUCache<string, LoadError>({ max: MAX_ENTRIES });

  get(reactor: ReactorCode): LoadError | undefined {
    return this.#errors.get(cacheKey(reactor));
  }

  set(reactor: ReactorCode, error: LoadError): void {
    this.#errors.set(cacheKey(reactor), error);
  }
}

/** Contains the file name, because it is part of the error's position. */
const cacheKey = ({ reactorId, version, fileName = '' }: ReactorCode): string =>
  `${reactorId} ${version} ${fileName}`;
