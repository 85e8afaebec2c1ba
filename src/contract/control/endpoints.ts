import { type Method, type RequestParts, requestOf } from '../operation-row.js';

export const CONTROL_PREFIX = '/_emulator';

/** The TCP port of an emulator for which none is chosen, unless another program uses it. */
export const DEFAULT_PORT = 8787;

/** One control endpoint of the emulator, as plain data; its schemas are in `schemas.ts`, so that the table needs no zod. */
export interface ControlEndpoint {
  method: Method;
  /** Relative to `CONTROL_PREFIX`, parameters in braces: `/faults/{id}`. */
  path: string;
  success: number;
  /** Also served below `/tenants/{tenantId}`, for one tenant. */
  perTenant?: true;
  /** Needs no control token. */
  open?: boolean;
  /** Answers while the store is away: it neither reads what other processes have changed nor counts for rate limits. */
  probe?: boolean;
  body?: 'json';
  /** Bytes of the body, when it is not that of an operation. */
  bodyLimit?: number;
  /** The response is not JSON. */
  contentType?: 'text/event-stream' | 'text/html' | typeof PROMETHEUS;
}

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** A tenant file that is larger is better kept as a snapshot. 256 MiB. */
const TENANT_FILE_BYTES = 256 * 1024 * 1024;
/** Every kept request is compared with an expectation, and none of them has a body of more than 64 KiB. 128 KiB. */
const EXPECTATION_BYTES = 128 * 1024;
/** The parts of a trace of Playwright, one by one. 256 MiB. */
const REDACTED_BYTES = 256 * 1024 * 1024;

/** A row with a JSON body. */
const withBody = <const M extends Method, const Path extends string, const More>(
  method: M,
  path: Path,
  more: More,
) => ({ method, path, body: 'json' as const, ...more });

/** The control endpoints of the emulator; cli.md, `emulator start`. All of them are extensions. Their success is 200 by default. */
export const controlEndpoints = {
  /** Get the state of the process and of its store; 200 while the process runs, even if the store fails. */
  health: { method: 'GET', path: '/health', open: true, probe: true },
  /** Check whether requests are accepted; 503 while the emulator starts or stops, or cannot reach its database. */
  ready: { method: 'GET', path: '/ready', open: true, probe: true },
  metrics: { method: 'GET', path: '/metrics', probe: true, contentType: PROMETHEUS },
  dashboard: { method: 'GET', path: '/ui', open: true, contentType: 'text/html' },
  /** Stop the emulator, if the program that started it allows it: `emulator start` does. */
  stop: { method: 'POST', path: '/stop', success: 204 },
  /** Reset data, clock, faults and logs to a fresh start; the first tenant, or the one given, keeps its id and keys. */
  reset: { method: 'POST', path: '/reset', success: 204, perTenant: true },
  'clock.get': { method: 'GET', path: '/clock', perTenant: true },
  'clock.next': { method: 'GET', path: '/clock/next', perTenant: true },
  /** Set, advance, freeze, resume or reset the clock; responds when everything due has happened. */
  'clock.change': withBody('PUT', '/clock', { perTenant: true }),
  'faults.list': { method: 'GET', path: '/faults', perTenant: true },
  /** Inject a fault into requests of the service. */
  'faults.add': withBody('POST', '/faults', { success: 201, perTenant: true }),
  'faults.clear': { method: 'DELETE', path: '/faults', success: 204, perTenant: true },
  'faults.remove': { method: 'DELETE', path: '/faults/{id}', success: 204, perTenant: true },
  'origins.list': { method: 'GET', path: '/origins' },
  'origins.add': withBody('POST', '/origins', { success: 201 }),
  'origins.remove': { method: 'DELETE', path: '/origins', success: 204 },
  'redirects.get': { method: 'GET', path: '/redirects', perTenant: true },
  /** Replace the local stubs that stand for hosts, such as api.example.com, or * for all but this machine. */
  'redirects.set': withBody('PUT', '/redirects', { perTenant: true }),
  /** List recent requests that were sent for a tenant: by reactors and proxies, callbacks and webhooks. */
  'outbound.list': { method: 'GET', path: '/outbound', perTenant: true },
  'requests.list': { method: 'GET', path: '/requests', perTenant: true },
  /** Count the recent requests that match an expectation; finds the nearest if none does. */
  'requests.verify': withBody('POST', '/requests/verify', { bodyLimit: EXPECTATION_BYTES, perTenant: true }),
  'requests.unexpected': { method: 'GET', path: '/requests/unexpected', perTenant: true },
  'requests.clear': { method: 'DELETE', path: '/requests', success: 204, perTenant: true },
  /** Mask the data of all tokens, deleted ones included, in a text; the test kits start the emulator for it. */
  redact: withBody('POST', '/redact', { bodyLimit: REDACTED_BYTES }),
  /** Search what left the service, and texts, for token data; for an emulator that watches for it. */
  'leaks.find': withBody('POST', '/leaks', { bodyLimit: REDACTED_BYTES, perTenant: true }),
  'stats.get': { method: 'GET', path: '/stats' },
  'traces.list': { method: 'GET', path: '/traces', perTenant: true },
  'traces.get': { method: 'GET', path: '/traces/{traceId}', perTenant: true },
  /** Explain which permissions and rules decided the recent requests under a trace ID. */
  'access.explain': { method: 'GET', path: '/access/{traceId}', perTenant: true },
  events: { method: 'GET', path: '/events', contentType: 'text/event-stream', perTenant: true },
  /** List the recent events that webhooks subscribed to, the newest last. */
  'webhookEvents.list': { method: 'GET', path: '/webhook-events', perTenant: true },
  /** Send an event that nothing has caused, as a real one is sent; of the first tenant, if not for one tenant. */
  'webhookEvents.trigger': withBody('POST', '/webhook-events', { success: 202, perTenant: true }),
  /** Deliver recent events again, several times or in random order. */
  'webhookEvents.resend': withBody('POST', '/webhook-events/resend', { success: 202, perTenant: true }),
  'deliveries.list': { method: 'GET', path: '/deliveries', perTenant: true },
  'deliveries.wait': withBody('POST', '/deliveries/wait', { perTenant: true }),
  /** Send a callback again, or one that is pending at once. */
  'deliveries.resend': { method: 'POST', path: '/deliveries/{id}/resend', success: 202, perTenant: true },
  'snapshots.list': { method: 'GET', path: '/snapshots', perTenant: true },
  /** Save a snapshot of all data, or of that of a tenant, replacing one of the same name. */
  'snapshots.save': withBody('POST', '/snapshots', { success: 201, perTenant: true }),
  'snapshots.restore': { method: 'POST', path: '/snapshots/{name}/restore', success: 204, perTenant: true },
  overview: { method: 'GET', path: '/overview' },
  /** Search the tokens of a tenant, data masked; leaves no trace. */
  'tenants.tokens': { method: 'GET', path: '/tenants/{id}/tokens' },
  'tenants.list': { method: 'GET', path: '/tenants' },
  'tenants.create': withBody('POST', '/tenants', { success: 201 }),
  'tenants.delete': { method: 'DELETE', path: '/tenants/{id}', success: 204 },
  /** Export a tenant as one JSON document, token data and secrets included. */
  'tenants.export': { method: 'GET', path: '/tenants/{id}/file' },
  'tenants.import': withBody('PUT', '/tenants/file', { success: 204, bodyLimit: TENANT_FILE_BYTES }),
} as const satisfies Record<string, Omit<ControlEndpoint, 'success'> & { success?: number }>;

/** The path of the endpoints of one tenant, which come before their own paths. */
export const TENANT_SCOPE = '/tenants/{tenantId}';

export type ControlEndpoints = typeof controlEndpoints;
export type ControlId = keyof ControlEndpoints;

export const CONTROL_IDS = Object.keys(controlEndpoints) as ControlId[];

export const controlEndpoint = (id: ControlId): ControlEndpoint => ({
  success: 200,
  ...controlEndpoints[id],
});

/** Builds a request to a control endpoint, without base URL and token. @throws {PathParameterError} see `buildPath`. */
export function controlRequest(id: ControlId, input: RequestParts & { tenant?: string | undefined } = {}) {
  const { tenant: tenantId, query, body } = input;
  const row = controlEndpoint(id);
  const path = CONTROL_PREFIX + (tenantId === undefined ? '' : TENANT_SCOPE) + row.path;
  const parameters = { ...input.path, ...(tenantId !== undefined && { tenantId }) };
  return requestOf({ ...row, path }, { path: parameters, query, body });
}
