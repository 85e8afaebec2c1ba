/** The common error body: RFC 9457 problem details, sent as `application/problem+json`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  /** Messages by property path (`data.routing_number`, `query.size`), or under `error` for a reactor. */
  errors?: Record<string, string[]>;
}

/** The problems that the service responds with: status and title. The call site adds the detail. */
export const PROBLEMS = {
  validation: { status: 400, title: 'Bad Request' },
  unauthenticated: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  foreignOrigin: { status: 403, title: 'Foreign Host Or Origin' },
  notFound: { status: 404, title: 'Not Found' },
  methodNotAllowed: { status: 405, title: 'Method Not Allowed' },
  destinationTimeout: { status: 408, title: 'Request Timeout' },
  idTaken: { status: 409, title: 'Token Id Taken' },
  notActive: { status: 409, title: 'Not Active' },
  requestInFlight: { status: 409, title: 'Request In Flight' },
  switchedOff: { status: 410, title: 'Gone' },
  bodyTooLarge: { status: 413, title: 'Payload Too Large' },
  unsupportedMediaType: { status: 415, title: 'Unsupported Media Type' },
  reactorUnusable: { status: 422, title: 'Unprocessable Reactor' },
  undecryptable: { status: 422, title: 'Undecryptable Data' },
  rateLimited: { status: 429, title: 'Too Many Requests' },
  internal: { status: 500, title: 'Internal Server Error' },
  storageDamaged: { status: 500, title: 'Storage Damaged' },
  reactorRuntime: { status: 500, title: 'Reactor Runtime Error' },
  notEmulated: { status: 501, title: 'Not Emulated' },
  destinationUnreachable: { status: 502, title: 'Bad Gateway' },
  unavailable: { status: 503, title: 'Service Unavailable' },
  storageFull: { status: 507, title: 'Insufficient Storage' },
} as const satisfies Record<string, { status: number; title: string }>;

/** Messages of fields that the CLI words for the person who typed the command. */
export const NO_FLAG = 'must be the string "true" or "false"';
export const UNKNOWN_PERMISSION = 'must be a permission of GET /permissions';
export const UNKNOWN_EVENT_TYPE = 'must be a type of GET /webhooks/event-types';
export const UNKNOWN_TOKEN = 'refers to a token that does not exist';

export type ProblemName = keyof typeof PROBLEMS;

/** Returns the `type` of a problem: a stable URN, because there is no public page for each. */
export const problemType = (name: ProblemName): string =>
  `urn:tokenization-service:problem:${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
