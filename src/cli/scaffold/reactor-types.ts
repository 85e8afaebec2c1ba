/** What an editor knows of a reactor's request; `tokenctl init` writes it into a project. */
export const REACTOR_TYPES = `// What a reactor gets and gives. Written by \`tokenctl init\`; \`tokenctl init --force\` brings it up to date.

/** Any value that JSON can hold. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

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

/** A token as the service shows it: \`data\` is there when the application of the reactor may see it. */
interface Token {
  id: string;
  tenant_id: string;
  type: TokenType;
  data?: Json;
  mask?: Json;
  enrichments?: Record<string, Json>;
  fingerprint?: string;
  containers: string[];
  metadata?: Record<string, string>;
  search_indexes?: string[];
  fingerprint_expression?: string;
  expires_at?: string;
  created_by?: string;
  created_at?: string;
  modified_by?: string;
  modified_at?: string;
}

/** Creates one token. The properties may be written in camelCase, too. */
interface CreateToken {
  id?: string;
  type: TokenType;
  data: Json | Card | Bank;
  mask?: Json;
  containers?: string[];
  metadata?: Record<string, string>;
  search_indexes?: string[];
  fingerprint_expression?: string;
  deduplicate_token?: boolean;
  expires_at?: string;
  searchIndexes?: string[];
  fingerprintExpression?: string;
  deduplicateToken?: boolean;
  expiresAt?: string;
}

interface Page<Item> {
  pagination: { total_items: number; page_number: number; page_size: number; total_pages: number };
  data: Item[];
}

/** The service, with the permissions of the reactor's application. A call that fails throws an error with \`status\` and \`errors\`. */
interface Svc {
  tokens: {
    create(body: CreateToken): Promise<Token>;
    get(id: string): Promise<Token>;
    list(query?: { id?: string | string[]; metadata?: Record<string, string>; type?: string; container?: string; page?: number; size?: number }): Promise<Page<Token>>;
    update(id: string, patch: Partial<Omit<CreateToken, 'id' | 'type'>>): Promise<Token>;
    delete(id: string): Promise<void>;
    search(body: { query?: string; page?: number; size?: number }): Promise<Page<Token>>;
  };
  tokenize(body: Json): Promise<Json>;
  detokenize(body: Json): Promise<Json>;
  reactors: { react(id: string, body?: { args?: Record<string, Json> | string }): Promise<{ raw?: Json; tokens?: Json }> };
}

/** \`args\` are the arguments of the invocation, their expressions replaced by the data of the tokens. */
interface ReactorRequest<Args = Record<string, Json>> {
  args: Args;
  configuration: Record<string, string>;
  /** null when the reactor has no application. */
  svc: Svc | null;
}

/** \`raw\` is returned in plaintext; what \`tokenize\` holds is stored, and its tokens are returned. */
interface ReactorResponse {
  raw?: unknown;
  tokenize?: unknown;
}

type Reactor<Args = Record<string, Json>> = (
  request: ReactorRequest<Args>,
  context: { svc: Svc | null },
) => Promise<ReactorResponse | void> | ReactorResponse | void;

// Of Node.js itself the reactors know a part; for more than that: npm install --save-dev @types/node
interface Console {
  debug(...values: any[]): void;
  log(...values: any[]): void;
  info(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
}
declare var console: Console;

/** Errors whose status becomes the status of the answer. */
declare module 'svc-reactor-errors' {
  type Messages = string | string[] | Record<string, string[]>;
  class ReactorError extends Error {
    constructor(messages?: Messages);
    readonly status: number;
  }
  /** 400 */ export class BadRequestError extends ReactorError {}
  /** 401 */ export class AuthenticationError extends ReactorError {}
  /** 402 */ export class InvalidPaymentMethodError extends ReactorError {}
  /** 403 */ export class AuthorizationError extends ReactorError {}
  /** 429 */ export class RateLimitError extends ReactorError {}
  /** 500 */ export class ReactorRuntimeError extends ReactorError {}
  /** 503 */ export class ServiceUnavailableError extends ReactorError {}
  export class CustomHttpResponseError extends Error {
    constructor(response: { status: number; headers?: Record<string, string>; body?: Json });
  }
}
`;
