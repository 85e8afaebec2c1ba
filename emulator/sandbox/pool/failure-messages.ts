import type { Json } from '../../../src/contract/json.js';
import type { SvcCall } from '../invocation.js';
import type { SandboxLimits } from '../limits.js';
import type { RuntimeFailure } from '../outcome.js';
import type { CallFailure, CallResult } from '../protocol.js';

interface FailureDetails {
  limits: SandboxLimits;
  timeoutMs: number;
  /** Reported by the guest: why a result is not JSON. */
  detail?: string | undefined;
}

/** Messages for clients and reactor authors. They contain nothing of the arguments, the configuration or the host. */
const MESSAGES: Record<RuntimeFailure, (details: FailureDetails) => string> = {
  timeout: ({ timeoutMs }) => `The reactor did not finish within ${timeoutMs} ms.`,
  stalled: () =>
    'The reactor awaits a promise that can never settle: no timer, request or svc call is pending.',
  'out-of-memory': ({ limits }) =>
    `The reactor exceeded its memory limit of ${toMebibytes(limits.memoryBytes)} MiB.`,
  'not-json': ({ detail }) => `The reactor returned a value that is not JSON${detail ? `: ${detail}` : ''}.`,
  'output-too-large': ({ limits }) =>
    `The reactor returned more than ${toMebibytes(limits.outputBytes)} MiB.`,
  'too-deep': ({ limits }) => `Reactors called each other more than ${limits.depth} levels deep.`,
  busy: ({ timeoutMs }) => `No sandbox instance became free within ${timeoutMs} ms.`,
  'queue-full': ({ limits }) =>
    `Too many invocations are waiting for a sandbox instance (at most ${limits.queued}, with ${limits.queuedBytes} bytes of arguments). Try again.`,
  cancelled: () => 'The invocation was cancelled.',
  crashed: () => 'The sandbox instance that ran the reactor exited unexpectedly.',
};

const toMebibytes = (bytes: number): number => Math.round((bytes / 1024 ** 2) * 10) / 10;

export const describeFailure = (
  kind: RuntimeFailure,
  details: FailureDetails,
): { kind: RuntimeFailure; message: string } => ({ kind, message: MESSAGES[kind](details) });

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
