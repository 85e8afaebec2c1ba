import type { SvcCall } from '../invocation.js';
import type { Json } from '../outcome.js';
import type { FromWorker, SvcAnswer, SvcFailure } from '../protocol.js';

/** Answers one `svc` call of reactor code; a rejection becomes plain data, without the host's stack. */
export async function answerSvc(
  svc: SvcCall | null,
  { call, method, params }: Extract<FromWorker, { type: 'svc' }>,
): Promise<SvcAnswer> {
  try {
    if (!svc) throw new Error('The reactor has no application, so it has no svc.');
    const result = await svc(method, JSON.parse(params));
    return { type: 'answer', call, json: JSON.stringify(result ?? null) };
  } catch (error) {
    return { type: 'answer', call, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): SvcFailure {
  if (!(error instanceof Error)) return { message: 'The call failed.' };
  const { message, status, errors } = error as Error & { status?: unknown; errors?: unknown };
  return {
    message,
    ...(typeof status === 'number' && { status }),
    ...(errors !== undefined && { errors: errors as Json }),
  };
}
