type Messages = string | string[] | Record<string, string[]>;

function defineError(name: string, status: number) {
  class ReactorError extends Error {
    readonly status = status;
    readonly errors?: string[] | Record<string, string[]>;

    constructor(messages: Messages = '') {
      super(typeof messages === 'string' ? messages : firstMessage(messages));
      if (typeof messages !== 'string') this.errors = messages;
    }
  }
  Object.defineProperty(ReactorError, 'name', { value: name });
  Object.defineProperty(ReactorError.prototype, 'name', { value: name, writable: true, configurable: true });
  return ReactorError;
}

function firstMessage(messages: string[] | Record<string, string[]>): string {
  const [first] = Object.values(messages).flat();
  return first === undefined ? '' : String(first);
}

class CustomHttpResponseError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;

  constructor({
    status,
    headers = {},
    body,
  }: { status: number; headers?: Record<string, string>; body?: unknown }) {
    super(`Custom response ${status}`);
    this.name = 'CustomHttpResponseError';
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** `require('svc-reactor-errors')`: error classes that set the status of the response (decisions.md, "Reactors"). */
export const reactorErrors = {
  BadRequestError: defineError('BadRequestError', 400),
  AuthenticationError: defineError('AuthenticationError', 401),
  InvalidPaymentMethodError: defineError('InvalidPaymentMethodError', 402),
  AuthorizationError: defineError('AuthorizationError', 403),
  RateLimitError: defineError('RateLimitError', 429),
  ReactorRuntimeError: defineError('ReactorRuntimeError', 500),
  ServiceUnavailableError: defineError('ServiceUnavailableError', 503),
  CustomHttpResponseError,
};
