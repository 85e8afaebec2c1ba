/** The exit code of each kind of failure. */
export const EXIT_CODES = {
  /** The command did its work and it failed, or some of several failed. */
  failed: 1,
  /** Wrong usage, or input that is not valid. */
  usage: 2,
  invalid: 2,
  /** `diff --exit-code`, `verify`. */
  difference: 3,
  unauthorized: 4,
  forbidden: 4,
  not_found: 5,
  rate_limited: 6,
  timeout: 7,
  unreachable: 7,
  interrupted: 130,
} as const;

export type FailureCategory = keyof typeof EXIT_CODES;

/** What a failure tells the user; everything but category, title and detail may be missing. */
export interface Failure {
  category: FailureCategory;
  /** The status of the service's answer. */
  status?: number | undefined;
  title: string;
  /** One sentence on what failed. */
  detail: string;
  /** Messages by property path, flag or item. */
  errors?: Record<string, string[]> | undefined;
  traceId?: string | undefined;
  /** What to do about it. */
  hint?: string | undefined;
}

const TITLES: Record<FailureCategory, string> = {
  failed: 'Failed',
  usage: 'Wrong Usage',
  invalid: 'Invalid Input',
  difference: 'Difference',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  not_found: 'Not Found',
  rate_limited: 'Too Many Requests',
  timeout: 'Timeout',
  unreachable: 'Unreachable',
  interrupted: 'Interrupted',
};

/** A failure of the CLI's own; what the service answers is a ServiceError. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly failure: Failure;

  constructor(
    category: FailureCategory,
    detail: string,
    more: Omit<Partial<Failure>, 'category' | 'detail'> = {},
  ) {
    super(detail);
    this.failure = { category, title: TITLES[category], detail, ...more };
  }
}

/** `errors` as lines: `data.number: must be 13 to 19 digits`. */
export function errorLines(errors: Failure['errors']): string[] {
  return Object.entries(errors ?? {}).flatMap(([path, messages]) =>
    messages.map((message) => `${path}: ${message}`),
  );
}

/** Wrong usage: names the flag or argument and says what is accepted. */
export function usageError(detail: string, hint?: string): CliError {
  return new CliError('usage', detail, { hint });
}

/** The reason of the signal that Ctrl-C aborts, and what a canceled prompt throws. */
export function interruptedError(): CliError {
  return new CliError('interrupted', 'Interrupted; what was under way was stopped.');
}
