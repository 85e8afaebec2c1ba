import type { FieldErrors } from '../../../../src/contract/validation.js';

/** The fields of problem details that the page reads. */
interface ProblemBody {
  title?: string;
  detail?: string;
  instance?: string;
  errors?: FieldErrors;
}

/** A request that failed. Its message names the fields that are not valid, and what is accepted. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  /** @param status 0 when there was no response */
  constructor(
    readonly status: number,
    message: string,
    readonly errors: FieldErrors = {},
    readonly traceId?: string,
  ) {
    super(message);
  }

  static of(status: number, body: unknown): RequestError {
    const { title, detail, instance, errors = {} }: ProblemBody = isProblem(body) ? body : {};
    const fields = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(', ')}`);
    const message = fields.length > 0 ? fields.join('; ') : (detail ?? title ?? `Status ${status}`);
    return new RequestError(status, message, errors, instance);
  }
}

const isProblem = (body: unknown): body is ProblemBody => typeof body === 'object' && body !== null;
