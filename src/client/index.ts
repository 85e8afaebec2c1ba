export {
  type Attempt,
  type Client,
  type ClientOptions,
  type Connection,
  createClient,
} from './client.js';
export { ConnectionError, ProtocolError, ServiceError, TimeoutError } from './errors.js';
export { createHttpTransport } from './http-transport.js';
export { everyItem, type FetchPage, type Page } from './pages.js';
export type { CallInput, Query, RawRequest } from './request.js';
export type { Answer } from './response.js';
export type { Transport, TransportRequest, TransportResponse } from './transport.js';
