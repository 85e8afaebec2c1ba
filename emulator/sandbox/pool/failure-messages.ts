import type { SandboxLimits } from '../limits.js';
import type { RuntimeFailure } from '../outcome.js';

interface FailureDetails {
  limits: SandboxLimits;
  timeoutMs: number;
  /** What the guest adds: why a result is no JSON. */
  detail?: string | undefined;
}

/** The wording of each failure, for the client: nothing of arguments, configuration or the host. */
const MESSAGES: Record<RuntimeFailure, (facts: FailureDetails) => string> = {
  timeout: ({ timeoutMs }) => `The reactor did not finish within ${timeoutMs} ms.`,
  stalled: () => 'The reactor waits for a promise that nothing is left to settle.',
  'out-of-memory': ({ limits }) =>
    `The reactor used more memory than its ${toMebibytes(limits.memoryBytes)} MiB.`,
  'not-json': ({ detail }) =>
    `The reactor returned something that is not JSON${detail ? `: ${detail}` : ''}.`,
  'output-too-large': ({ limits }) =>
    `The reactor returned more than ${toMebibytes(limits.outputBytes)} MiB.`,
  'too-deep': ({ limits }) => `Reactors called one another more than ${limits.depth} deep.`,
  busy: ({ timeoutMs }) => `No instance became free for the reactor within ${timeoutMs} ms.`,
  cancelled: () => 'The invocation was cancelled.',
  crashed: () => 'The instance that ran the reactor ended unexpectedly.',
};

const toMebibytes = (bytes: number): number => Math.round((bytes / 1024 ** 2) * 10) / 10;

export const describeFailure = (
  kind: RuntimeFailure,
  facts: FailureDetails,
): { kind: RuntimeFailure; message: string } => ({
  kind,
  message: MESSAGES[kind](facts),
});
