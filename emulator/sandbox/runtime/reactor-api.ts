import type { CallFailure } from '../protocol.js';

/** Methods of `req.svc` (decisions.md, "Reactors"). */
const METHODS = [
  'tokens.create',
  'tokens.get',
  'tokens.list',
  'tokens.update',
  'tokens.delete',
  'tokens.search',
  'tokenize',
  'detokenize',
  'reactors.react',
] as const;

export type SvcCallResult = { ok: true; value: unknown } | { ok: false; value: CallFailure };

/** Creates `req.svc`. @param send passes a call to the host */
export function createSvcClient(send: (method: string, params: unknown[]) => Promise<SvcCallResult>): object {
  const svc: Record<string, unknown> = {};
  for (const path of METHODS) {
    const [first = '', second] = path.split('.');
    const call = async (...params: unknown[]): Promise<unknown> => {
      const { ok, value } = await send(path, params);
      if (!ok) throw toError(value);
      return value;
    };
    if (second === undefined) svc[first] = call;
    else {
      svc[first] ??= {};
      (svc[first] as Record<string, unknown>)[second] = call;
    }
  }
  return svc;
}

/** The properties of a request that hold the client. @param otherName one that also has `retrieve`, as in other SDKs */
export function clientProperties(svc: object | null, otherName?: string): Record<string, object | null> {
  if (otherName === undefined) return { svc };
  const { tokens } = (svc ?? {}) as { tokens?: { get?: unknown } };
  return { svc, [otherName]: svc && { ...svc, tokens: { ...tokens, retrieve: tokens?.get } } };
}

/** Returns what code is called with: `args`, or an event that they are a part of (decisions.md, "The family as it is today"). */
export const inputOf = (
  takesEvent: boolean,
  args: unknown,
  configuration: unknown,
  clients: object,
): object =>
  takesEvent
    ? { ...(args as object), configuration, logger: console, ...clients }
    : { args, configuration, ...clients };

function toError({ message, status, errors }: CallFailure): Error {
  const error = new Error(message);
  if (status !== undefined) Object.assign(error, { status });
  if (errors !== undefined) Object.assign(error, { errors });
  return error;
}

type Messages = string | Error | readonly unknown[] | Readonly<Record<string, unknown>> | null | undefined;

type ErrorConstructor = new (messages?: Messages) => Error;

/** Defines a class of errors. Its argument is a message, an error whose message is used, or a list or map of messages. */
function defineError(name: string, status: number): ErrorConstructor {
  class ReactorError extends Error {
    readonly status = status;

    constructor(messages?: Messages) {
      super(toMessage(messages), messages instanceof Error ? { cause: messages } : undefined);
      if (typeof messages === 'object' && messages !== null && !(messages instanceof Error))
        Object.defineProperty(this, 'errors', { value: messages, enumerable: true });
    }
  }
  Object.defineProperty(ReactorError, 'name', { value: name });
  Object.defineProperty(ReactorError.prototype, 'name', { value: name, writable: true, configurable: true });
  return ReactorError;
}

/** Returns the message of an error, or the first one of a list or map. */
function toMessage(messages: Messages): string {
  if (messages === null || messages === undefined) return '';
  if (messages instanceof Error) return messages.message || messages.name;
  if (typeof messages !== 'object') return String(messages);
  const [first] = Object.values(messages).flat();
  return typeof first === 'string' ? first : '';
}

type CustomResponse = { status: number; headers?: Record<string, string> | null; body?: unknown };

class CustomHttpResponseError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;

  constructor({ status, headers, body }: CustomResponse) {
    super(`Custom response ${status}`);
    this.name = 'CustomHttpResponseError';
    this.status = status;
    this.headers = headers ?? {};
    this.body = body;
  }
}

/** `require('svc-reactor-errors')`: error classes that set the status of the response (decisions.md, "Reactors"). */
export const reactorErrors = {
  BadRequestError: defineError('BadRequestError', 400),
  InvalidReactorConfigurationError: defineError('InvalidReactorConfigurationError', 400),
  AuthenticationError: defineError('AuthenticationError', 401),
  InvalidPaymentMethodError: defineError('InvalidPaymentMethodError', 402),
  AuthorizationError: defineError('AuthorizationError', 403),
  RateLimitError: defineError('RateLimitError', 429),
  ReactorRuntimeError: defineError('ReactorRuntimeError', 500),
  ServiceUnavailableError: defineError('ServiceUnavailableError', 503),
  CustomHttpResponseError,
};

export type ReactorFunction = (request: object, context: object) => unknown;

export function findReactorFunction(exported: unknown): ReactorFunction | undefined {
  const inner = (exported as { default?: unknown } | null | undefined)?.default;
  const found = typeof exported === 'function' ? exported : inner;
  return typeof found === 'function' ? (found as ReactorFunction) : undefined;
}

const IMPORT_OR_EXPORT = /^\s*(import\b(?!\s*\()|export\b)/m;

/** Guesses whether code that parses neither as CommonJS nor as an ES module was meant as the latter. Decides which error to show. */
export const hasModuleSyntax = (code: string): boolean => IMPORT_OR_EXPORT.test(code);
