/**
 * `reactor.d.ts` of a starter project: what an editor knows of `req`, `svc` and `svc-reactor-errors`. Global types, so that
 * plain JavaScript can name them in a comment without importing anything.
 */
export const REACTOR_TYPES = `// What the service passes to a reactor and takes back from it. In JavaScript:
//
//   /** @param {Reactor.Request<{ card: Reactor.Card, amount: number }>} req */
//   module.exports = async (req) => ({ raw: { last4: req.args.card.number.slice(-4) } });

declare namespace Reactor {
  type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

  /** The function that a reactor exports. */
  type Handler<Args = Record<string, any>> = (
    req: Request<Args>,
    context: { svc: Service | null },
  ) => Promise<Response | void> | Response | void;

  interface Request<Args = Record<string, any>> {
    /** The arguments of the invocation, every expression replaced by the token's data. */
    args: Args;
    /** The reactor's configuration. */
    configuration: Record<string, string>;
    /** The service, with the permissions of the reactor's application; null when it has none. */
    svc: Service | null;
  }

  interface Response {
    /** Returned to the caller in plaintext: nothing sensitive. */
    raw?: unknown;
    /** Tokenized before it is returned, as \`tokens\`: a value becomes the id of its token, \`{ type, data }\` the token. */
    tokenize?: unknown;
  }

  /** Data of a token of type \`card\`. */
  interface Card {
    number: string;
    expiration_month?: number;
    expiration_year?: number;
    /** Kept for one hour. */
    cvc?: string;
  }

  /** Data of a token of type \`bank\`. */
  interface Bank {
    routing_number: string;
    account_number: string;
  }

  type TokenType =
    | 'token'
    | 'card'
    | 'bank'
    | 'card_number'
    | 'us_bank_account_number'
    | 'us_bank_routing_number'
    | 'social_security_number'
    | 'employer_id_number';

  interface Token {
    id: string;
    tenant_id: string;
    type: TokenType;
    /** As the application's access controls show it; absent when they redact it. */
    data?: any;
    mask?: unknown;
    enrichments?: Record<string, unknown>;
    fingerprint?: string;
    fingerprint_expression?: string;
    containers: string[];
    metadata?: Record<string, string>;
    search_indexes?: string[];
    expires_at?: string;
    created_by?: string;
    created_at?: string;
    modified_by?: string;
    modified_at?: string;
  }

  /** Properties may be written in camelCase, too. */
  interface NewToken {
    id?: string | null;
    type: TokenType;
    data: unknown;
    mask?: unknown;
    containers?: string[] | null;
    metadata?: Record<string, string> | null;
    search_indexes?: string[] | null;
    searchIndexes?: string[] | null;
    fingerprint_expression?: string | null;
    fingerprintExpression?: string | null;
    deduplicate_token?: boolean | null;
    deduplicateToken?: boolean | null;
    expires_at?: string | null;
    expiresAt?: string | null;
  }

  interface Page<Item> {
    pagination: { total_items: number; page_number: number; page_size: number; total_pages: number };
    data: Item[];
  }

  interface PageQuery {
    /** From 1. */
    page?: number;
    /** 1 to 100; 20 by default. */
    size?: number;
  }

  interface TokenFilter extends PageQuery {
    id?: string | string[];
    metadata?: Record<string, string>;
    type?: TokenType;
    container?: string;
  }

  /** A call that fails throws a ServiceError. */
  interface Service {
    tokens: {
      create(token: NewToken): Promise<Token>;
      get(id: string): Promise<Token>;
      list(filter?: TokenFilter): Promise<Page<Token>>;
      /** A merge patch: null removes. */
      update(id: string, patch: Partial<Omit<NewToken, 'id' | 'type'>>): Promise<Token>;
      delete(id: string): Promise<null>;
      /** Lucene syntax. */
      search(search: { query?: string } & PageQuery): Promise<Page<Token>>;
    };
    tokenize(payload: unknown): Promise<any>;
    /** Replaces expressions such as \`{{ <token id> }}\` by raw data; needs token:use. */
    detokenize(payload: unknown): Promise<any>;
    reactors: {
      react(id: string, invocation: { args?: Record<string, unknown> | string | null }): Promise<{ tokens?: any; raw?: any }>;
    };
  }

  interface ServiceError extends Error {
    status: number;
    errors?: Record<string, string[]>;
  }
}

declare module 'svc-reactor-errors' {
  type Messages = string | string[] | Record<string, string[]>;

  class ReactorError extends Error {
    constructor(messages?: Messages);
    readonly status: number;
    readonly errors?: string[] | Record<string, string[]>;
  }

  /** 400 */
  export class BadRequestError extends ReactorError {}
  /** 401 */
  export class AuthenticationError extends ReactorError {}
  /** 402 */
  export class InvalidPaymentMethodError extends ReactorError {}
  /** 403 */
  export class AuthorizationError extends ReactorError {}
  /** 429 */
  export class RateLimitError extends ReactorError {}
  /** 500 */
  export class ReactorRuntimeError extends ReactorError {}
  /** 503 */
  export class ServiceUnavailableError extends ReactorError {}

  /** Answers with a status of 400 to 599, headers and a body of its own. */
  export class CustomHttpResponseError extends Error {
    constructor(response: { status: number; headers?: Record<string, string>; body?: unknown });
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: unknown;
  }
}
`;
