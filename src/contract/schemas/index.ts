import type * as z from 'zod';
import type { PathParameters } from '../operation-row.js';
import type { OperationId, Operations } from '../operations.js';
import type { TokenType } from '../token-types.js';
import { applicationSchemas } from './applications.js';
import { noQuery } from './common.js';
import { familySchemas } from './family.js';
import { proxySchemas } from './proxies.js';
import { reactorSchemas } from './reactors.js';
import { tenantSchemas } from './tenants.js';
import type { TokenData } from './token-data.js';
import { tokenSchemas } from './tokens.js';
import { webhookSchemas } from './webhooks.js';

/** The schemas of one operation: strict for requests, one response schema per status of success. */
export interface OperationSchemas {
  /** Left out by an operation that has no parameters. */
  query: z.ZodType;
  body?: z.ZodType;
  /** A more precise description of the body for OpenAPI, where the service validates a part of it separately. */
  documentedBody?: z.ZodType;
  /** The body that `--lenient` accepts, where it is not `body`. */
  lenientBody?: z.ZodType;
  responses: Partial<Record<number, z.ZodType>>;
}

/** The schemas of every operation; a missing one is a compile error. */
export const schemas = {
  ...tokenSchemas,
  ...familySchemas,
  ...reactorSchemas,
  ...tenantSchemas,
  ...applicationSchemas,
  ...proxySchemas,
  ...webhookSchemas,
} satisfies Record<OperationId, Partial<OperationSchemas> & Pick<OperationSchemas, 'responses'>>;

export type Schemas = typeof schemas;

export const operationSchemas = (id: OperationId): OperationSchemas => ({ query: noQuery, ...schemas[id] });

type BodySchema<Id extends OperationId> = Schemas[Id] extends { body: infer Body extends z.ZodType }
  ? Body
  : never;

type QueryOf<Id extends OperationId> = z.output<
  Schemas[Id] extends { query: infer Query extends z.ZodType } ? Query : typeof noQuery
>;

/** The query that a caller passes. Every parameter is optional; any text is accepted, since the service may know more values. */
type QueryInput<Query> = {
  readonly [Name in keyof Query]?: QueryParameter<NonNullable<Query[Name]>> | undefined;
};

type QueryParameter<Value> = Value extends string ? string : Readonly<Value>;

/** What a caller passes: path parameters, query and body before defaults are filled in. */
export interface OperationInput<Id extends OperationId> {
  path: Record<PathParameters<Operations[Id]['path']>, string>;
  query: QueryInput<QueryOf<Id>>;
  body: z.input<BodySchema<Id>>;
}

/** The parts of the input that an operation has: the query, and path parameters and the body if it takes them. */
export type OperationParts<Id extends OperationId> = (Operations[Id]['path'] extends `${string}{${string}`
  ? Pick<OperationInput<Id>, 'path'>
  : { path?: never }) &
  (Operations[Id] extends { body: string } ? Pick<OperationInput<Id>, 'body'> : { body?: never }) &
  Partial<Pick<OperationInput<Id>, 'query'>>;

/** What a handler receives: validated, with defaults filled in. */
export interface OperationRequest<Id extends OperationId> {
  path: Record<PathParameters<Operations[Id]['path']>, string>;
  query: QueryOf<Id>;
  body: z.output<BodySchema<Id>>;
}

type Responses<Id extends OperationId> = Schemas[Id]['responses'];

/** What a handler returns: one of the statuses of success with its body. */
export type OperationResponse<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: {
    status: Status;
    body: Responses<Id>[Status] extends z.ZodType ? z.output<Responses<Id>[Status]> : never;
    headers?: Record<string, string>;
  };
}[keyof Responses<Id>];

export type OperationBody<Id extends OperationId> = OperationResponse<Id>['body'];

export type AnyToken = z.output<Schemas['tokens.get']['responses'][200]>;

/** A token, whose `type` says what its `data` is; with a mask other than the default, that may be anything. */
export type Token = {
  [Type in TokenType]: Omit<AnyToken, 'type' | 'data'> & { type: Type; data?: TokenData[Type] };
}[TokenType];

/** The body of a successful response, in which tokens have the data of their types. */
export type TypedBody<Id extends OperationId> =
  OperationBody<Id> extends AnyToken
    ? Token
    : OperationBody<Id> extends { data: AnyToken[] }
      ? Omit<OperationBody<Id>, 'data'> & { data: Token[] }
      : OperationBody<Id>;
export type ApplicationTemplate = z.output<Schemas['applicationTemplates.get']['responses'][200]>;
export type Document = z.output<Schemas['documents.get']['responses'][200]>;
export type TokenIntent = z.output<Schemas['tokenIntents.get']['responses'][200]>;
export type Reactor = z.output<Schemas['reactors.get']['responses'][200]>;
export type ReactorResponse = z.output<Schemas['reactors.react']['responses'][200]>;
export type Tenant = z.output<Schemas['tenants.get']['responses'][200]>;
export type UsageReport = z.output<Schemas['tenants.usage']['responses'][200]>;
export type Application = z.output<Schemas['applications.get']['responses'][200]>;
export type ApplicationKey = z.output<Schemas['applications.keys.get']['responses'][200]>;
export type AccessRule = NonNullable<Application['rules']>[number];
export type Proxy = z.output<Schemas['proxies.get']['responses'][200]>;
export type Webhook = z.output<Schemas['webhooks.get']['responses'][200]>;
export type LogEntry = z.output<Schemas['logs.list']['responses'][200]>['data'][number];
export type Pagination = z.output<Schemas['tokens.list']['responses'][200]>['pagination'];
