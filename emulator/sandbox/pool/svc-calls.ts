import type { Json } from '../../../src/contract/json.js';
import type { SvcCall } from '../invocation.js';
import type { CallFailure, CallResult } from '../protocol.js';

/** Executes one `svc` call of reactor code. Never rejects: an error becomes plain data, without the stack of the host. */
export async function respondToSvc(
  svc: SvcCall | null,
  { method, params }: { method: string; params: string },
): Promise<CallResult<string>> {
  try {
    if (!svc) throw new Error('svc is not available: the reactor has no application.');
    return { value: JSON.stringify((await svc(method, JSON.parse(params))) ?? null) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

function toFailure(error: unknown): CallFailure {
  const { message, status, errors } = error as Error & { status?: unknown; errors?: unknown };
  return {
    message,
    ...(typeof status === 'number' && { status }),
    ...(errors !== undefined && { errors: errors as Json }),
  };
}
