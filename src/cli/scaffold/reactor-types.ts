import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';

/** TypeScript declarations for reactor code, which `tokenctl init` writes into a project. */
export const REACTOR_TYPES = `// Types of a reactor's request and response. Written by \`tokenctl init\`; update it with \`tokenctl init --force\`.
// Reactors have only part of the Node.js API. Types of the other modules that they may import, which are not bundled:
// npm install --save-dev axios uuid @types/node-fetch
/// <reference types="node" />

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Data of a token of type \`card\`. */
interface Card {
  number: string;
  expiration_month?: number;
  expiration_year?: number;
  /** Deleted after one hour. */
  cvc?: string;
}

/** Data of a token of type \`bank\`. */
interface Bank {
  routing_number: string;
  account_number: string;
}

type TokenType =
${TOKEN_TYPE_NAMES.map((name) => `  | '${name}'`).join('\n')};

interface CardDetails {
  bin: string;
  last4: string;
  expiration_month?: number;
  expiration_year?: number;
  brand?: string;
  funding?: 'credit' | 'debit' | 'prepaid';
  issuer?: { country: string; name: string };
  issuer_country?: { alpha2: string; name: string; numeric: string };
}

/** A token of the service. \`data\` is present if the application of the reactor may read it. */
interface Token {
  id: string;
  tenant_id: string;
  type: TokenType;
  data?: Json;
  card?: CardDetails;
  bank?: { routing_number: string; account_number_last4?: string };
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

/** The request that creates a token. Property names may be in snake_case or camelCase. */
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

/** A client of the service with the permissions of the reactor's application. Failed calls throw an error with \`status\` and \`errors\`. */
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

/** \`args\` are the arguments of the invocation, with expressions replaced by token data. */
interface ReactorRequest<Args = Record<string, Json>, Configuration = Record<string, string>> {
  args: Args;
  configuration: Configuration;
  /** null if the reactor has no application. */
  svc: Svc | null;
}

/** \`raw\` is returned as it is. \`tokenize\` is stored as tokens, which are returned instead. */
interface ReactorResponse {
  raw?: unknown;
  tokenize?: unknown;
}

type ReactorFunction<Args, Configuration, Response> = (
  request: ReactorRequest<Args, Configuration>,
  context: { svc: Svc | null },
) => Promise<Response> | Response;

/** The reactors of the project by name. \`tokenctl reactor types\` declares their configuration, arguments and results. */
interface Reactors {}

/** A value with these properties, and others that the test cases do not name. */
type AtLeast<Value> = Value extends readonly (infer Item)[]
  ? AtLeast<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: AtLeast<Value[Key]> } & { [name: string]: any }
    : Value;

/** What the code returns for a result: the values that become \`tokens\` may be of any type. */
type ResponseFor<Result> = {
  [Key in keyof Result as Key extends 'tokens' ? 'tokenize' : Key]: Key extends 'tokens'
    ? Result[Key] extends object
      ? { [Name in keyof Result[Key]]: unknown } & { [name: string]: any }
      : unknown
    : AtLeast<Result[Key]>;
} & ReactorResponse;

/** A reactor: \`Reactor<'charge'>\` by its name in \`Reactors\`, or \`Reactor<{ amount: number }>\` by its arguments. */
type Reactor<Of = Record<string, Json>> = Of extends keyof Reactors
  ? Reactors[Of] extends { args: infer Args; configuration: infer Configuration; result: infer Result }
    ? ReactorFunction<Args, Configuration, ResponseFor<Result>>
    : never
  : Of extends string
    ? \`No reactor \${Of} in types/reactors.d.ts: declare it in the manifest, then run: tokenctl reactor types\`
    : ReactorFunction<Of, Record<string, string>, ReactorResponse | void>;

/** A request through a proxy. A JSON body is its value, any other its text. */
interface ProxyRequest {
  method: string;
  path: string;
  /** \`?page=1\`, or empty. */
  query: string;
  headers: Record<string, string>;
  body: any;
}

/** The response of the destination of a proxy. */
type ProxyResponse = Pick<ProxyRequest, 'headers' | 'body'> & { status: number };

/** The code of \`request_transform\` of a proxy. What it leaves out stays. */
type RequestTransform<Configuration = Record<string, string>> = ReactorFunction<
  ProxyRequest,
  Configuration,
  Partial<ProxyRequest>
>;

/** The code of \`response_transform\` of a proxy. What it leaves out stays. */
type ResponseTransform<Configuration = Record<string, string>> = ReactorFunction<
  ProxyResponse,
  Configuration,
  Partial<Pick<ProxyResponse, 'headers' | 'body'>>
>;

/** Errors that set the status of the response. */
declare module 'svc-reactor-errors' {
  type Messages = string | Error | string[] | Record<string, string | string[]> | null;
  class ReactorError extends Error {
    constructor(messages?: Messages);
    readonly status: number;
  }
  /** 400 */ export class BadRequestError extends ReactorError {}
  /** 400 */ export class InvalidReactorConfigurationError extends ReactorError {}
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
