export { type Client, createClient } from './client.js';
export type { ApiKeys, Connection, ServiceTarget } from './connection.js';
export { ConnectionError, ProtocolError, ServiceError, TimeoutError } from './errors.js';
export { createHttpTransport } from './http-transport.js';
export { everyItem, type FetchPage, type Page } from './pages.js';
export type {
  Attempt,
  CallArguments,
  CallInput,
  ClientHooks,
  ClientOptions,
  ConnectionSource,
  RawRequest,
  RequestOptions,
  Retry,
} from './request.js';
export type { ClientResponse } from './response.js';
export type { Transport, TransportRequest, TransportResponse } from './transport.js';
