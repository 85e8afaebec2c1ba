import { type ControlEndpoint, defineEndpoint } from './endpoint-row.js';

/** A tenant file that is larger is better kept as a snapshot. 256 MiB. */
const TENANT_FILE_BYTES = 256 * 1024 * 1024;
/** Every kept request is compared with an expectation, and none of them has a body of more than 64 KiB. 128 KiB. */
const EXPECTATION_BYTES = 128 * 1024;
/** The parts of a trace of Playwright, one by one. 256 MiB. */
const REDACTED_BYTES = 256 * 1024 * 1024;

/** The control endpoints of the emulator; cli.md, `emulator start`. All of them are extensions. */
export const controlEndpoints = {
  health: defineEndpoint({
    method: 'GET',
    path: '/health',
    summary:
      'Get the state of the process and of its store; 200 while the process runs, even if the store fails',
    success: 200,
    open: true,
    probe: true,
  }),
  ready: defineEndpoint({
    method: 'GET',
    path: '/ready',
    summary:
      'Check whether requests are accepted; 503 while the emulator starts or stops, or cannot reach its database',
    success: 200,
    open: true,
    probe: true,
  }),
  metrics: defineEndpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Get the metrics of this process in the text format of Prometheus',
    success: 200,
    probe: true,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  }),
  dashboard: defineEndpoint({
    method: 'GET',
    path: '/ui',
    summary: 'Get the page of the dashboard',
    success: 200,
    open: true,
    contentType: 'text/html',
  }),
  reset: defineEndpoint({
    method: 'POST',
    path: '/reset',
    summary:
      'Reset data, clock, faults and logs to a fresh start; the first tenant, or the one given, keeps its id and keys',
    success: 204,
    perTenant: true,
  }),
  'clock.get': defineEndpoint({
    method: 'GET',
    path: '/clock',
    summary: 'Get the clock',
    success: 200,
    perTenant: true,
  }),
  'clock.change': defineEndpoint({
    method: 'PUT',
    path: '/clock',
    summary: 'Set, advance, freeze, resume or reset the clock; responds when everything due has happened',
    success: 200,
    body: 'json',
    perTenant: true,
  }),
  'faults.list': defineEndpoint({
    method: 'GET',
    path: '/faults',
    summary: 'List the injected faults',
    success: 200,
    perTenant: true,
  }),
  'faults.add': defineEndpoint({
    method: 'POST',
    path: '/faults',
    summary: 'Inject a fault into requests of the service',
    success: 201,
    body: 'json',
    perTenant: true,
  }),
  'faults.clear': defineEndpoint({
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove all faults',
    success: 204,
    perTenant: true,
  }),
  'faults.remove': defineEndpoint({
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Remove a fault',
    success: 204,
    perTenant: true,
  }),
  'origins.list': defineEndpoint({
    method: 'GET',
    path: '/origins',
    summary: 'List the origins whose pages may call the service',
    success: 200,
  }),
  'origins.add': defineEndpoint({
    method: 'POST',
    path: '/origins',
    summary: 'Allow the pages of an origin to call the service until the emulator stops',
    success: 201,
    body: 'json',
  }),
  'origins.remove': defineEndpoint({
    method: 'DELETE',
    path: '/origins',
    summary: 'Stop allowing the origin in the query parameter origin',
    success: 204,
  }),
  'requests.list': defineEndpoint({
    method: 'GET',
    path: '/requests',
    summary: 'List recent requests of the service with masked bodies, the newest last',
    success: 200,
    perTenant: true,
  }),
  'requests.verify': defineEndpoint({
    method: 'POST',
    path: '/requests/verify',
    summary: 'Count the recent requests that match an expectation; finds the nearest if none does',
    success: 200,
    body: 'json',
    bodyLimit: EXPECTATION_BYTES,
    perTenant: true,
  }),
  'requests.unexpected': defineEndpoint({
    method: 'GET',
    path: '/requests/unexpected',
    summary: 'List the recent requests that no verification has matched',
    success: 200,
    perTenant: true,
  }),
  redact: defineEndpoint({
    method: 'POST',
    path: '/redact',
    summary:
      'Mask the data of all tokens, deleted ones included, in a text; the test kits start the emulator for it',
    success: 200,
    body: 'json',
    bodyLimit: REDACTED_BYTES,
  }),
  'stats.get': defineEndpoint({
    method: 'GET',
    path: '/stats',
    summary: 'Get counters of requests, latency and reactors, and the sizes of store and memory',
    success: 200,
  }),
  'traces.get': defineEndpoint({
    method: 'GET',
    path: '/traces/{traceId}',
    summary: 'Get the traces of recent reactor invocations under a trace ID',
    success: 200,
    perTenant: true,
  }),
  'access.explain': defineEndpoint({
    method: 'GET',
    path: '/access/{traceId}',
    summary: 'Explain which permissions and rules decided the recent requests under a trace ID',
    success: 200,
    perTenant: true,
  }),
  events: defineEndpoint({
    method: 'GET',
    path: '/events',
    summary: 'Stream events as they happen, after the recent ones',
    success: 200,
    contentType: 'text/event-stream',
    perTenant: true,
  }),
  'webhookEvents.list': defineEndpoint({
    method: 'GET',
    path: '/webhook-events',
    summary: 'List the recent events that webhooks subscribed to, the newest last',
    success: 200,
    perTenant: true,
  }),
  'webhookEvents.resend': defineEndpoint({
    method: 'POST',
    path: '/webhook-events/resend',
    summary: 'Deliver recent events again, several times or in random order',
    success: 202,
    body: 'json',
    perTenant: true,
  }),
  'deliveries.list': defineEndpoint({
    method: 'GET',
    path: '/deliveries',
    summary: 'List callbacks and webhook events that no receiver has accepted yet',
    success: 200,
    perTenant: true,
  }),
  'deliveries.wait': defineEndpoint({
    method: 'POST',
    path: '/deliveries/wait',
    summary: 'Wait until no delivery is pending; responds with those that are',
    success: 200,
    body: 'json',
    perTenant: true,
  }),
  'deliveries.resend': defineEndpoint({
    method: 'POST',
    path: '/deliveries/{id}/resend',
    summary: 'Send a callback again, or one that is pending at once',
    success: 202,
    perTenant: true,
  }),
  'snapshots.list': defineEndpoint({
    method: 'GET',
    path: '/snapshots',
    summary: 'List snapshots',
    success: 200,
    perTenant: true,
  }),
  'snapshots.save': defineEndpoint({
    method: 'POST',
    path: '/snapshots',
    summary: 'Save a snapshot of all data, or of that of a tenant, replacing one of the same name',
    success: 201,
    body: 'json',
    perTenant: true,
  }),
  'snapshots.restore': defineEndpoint({
    method: 'POST',
    path: '/snapshots/{name}/restore',
    summary: 'Restore a snapshot',
    success: 204,
    perTenant: true,
  }),
  overview: defineEndpoint({
    method: 'GET',
    path: '/overview',
    summary: 'Get what the dashboard shows of a tenant, token data masked',
    success: 200,
  }),
  'expressions.evaluate': defineEndpoint({
    method: 'POST',
    path: '/expressions/evaluate',
    summary: 'Evaluate expressions over sample data; nothing is stored',
    success: 200,
    body: 'json',
  }),
  'tenants.tokens': defineEndpoint({
    method: 'GET',
    path: '/tenants/{id}/tokens',
    summary: 'Search the tokens of a tenant, data masked; leaves no trace',
    success: 200,
  }),
  'tenants.list': defineEndpoint({
    method: 'GET',
    path: '/tenants',
    summary: 'List the tenants of the emulator with their keys',
    success: 200,
  }),
  'tenants.create': defineEndpoint({
    method: 'POST',
    path: '/tenants',
    summary: 'Create a tenant with its three seeded applications',
    success: 201,
    body: 'json',
  }),
  'tenants.delete': defineEndpoint({
    method: 'DELETE',
    path: '/tenants/{id}',
    summary: 'Delete a tenant with everything in it, its snapshots included',
    success: 204,
  }),
  'tenants.export': defineEndpoint({
    method: 'GET',
    path: '/tenants/{id}/file',
    summary: 'Export a tenant as one JSON document, token data and secrets included',
    success: 200,
  }),
  'tenants.import': defineEndpoint({
    method: 'PUT',
    path: '/tenants/file',
    summary: 'Import a tenant from such a document, replacing the tenant of the same id',
    success: 204,
    body: 'json',
    bodyLimit: TENANT_FILE_BYTES,
  }),
} as const;

/** The path of the endpoints of one tenant, which come before their own paths. */
export const TENANT_SCOPE = '/tenants/{tenantId}';

export type ControlEndpoints = typeof controlEndpoints;
export type ControlId = keyof ControlEndpoints;

export const CONTROL_IDS = Object.keys(controlEndpoints) as ControlId[];

/** Returns the row of a control endpoint in its general shape. */
export function controlEndpoint(id: ControlId): ControlEndpoint {
  return controlEndpoints[id];
}
