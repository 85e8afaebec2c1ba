import { type ControlEndpoint, defineEndpoint } from './endpoint.js';

/** A tenant file that is larger is better kept as a snapshot. 256 MiB. */
const TENANT_FILE_BYTES = 256 * 1024 * 1024;

/** The control endpoints of the emulator; cli.md, `emulator start`. All of them are extensions. */
export const controlEndpoints = {
  health: defineEndpoint({
    method: 'GET',
    path: '/health',
    summary: 'Tell that the process runs',
    success: 200,
    open: true,
  }),
  ready: defineEndpoint({
    method: 'GET',
    path: '/ready',
    summary: 'Tell whether requests are accepted; 503 while the emulator starts or stops',
    success: 200,
    open: true,
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
    summary: 'Reset data, clock, faults and logs to a fresh start; the first tenant keeps its id and keys',
    success: 204,
  }),
  'clock.get': defineEndpoint({
    method: 'GET',
    path: '/clock',
    summary: 'Get the clock',
    success: 200,
  }),
  'clock.change': defineEndpoint({
    method: 'PUT',
    path: '/clock',
    summary: 'Set, advance, freeze, resume or reset the clock; responds when everything due has happened',
    success: 200,
    body: 'json',
  }),
  'faults.list': defineEndpoint({
    method: 'GET',
    path: '/faults',
    summary: 'List the injected faults',
    success: 200,
  }),
  'faults.add': defineEndpoint({
    method: 'POST',
    path: '/faults',
    summary: 'Inject a fault into requests of the service',
    success: 201,
    body: 'json',
  }),
  'faults.clear': defineEndpoint({
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove all faults',
    success: 204,
  }),
  'faults.remove': defineEndpoint({
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Remove a fault',
    success: 204,
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
    summary: 'List recent requests of the service, the newest last',
    success: 200,
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
  }),
  events: defineEndpoint({
    method: 'GET',
    path: '/events',
    summary: 'Stream events as they happen, after the recent ones',
    success: 200,
    contentType: 'text/event-stream',
  }),
  'webhookEvents.list': defineEndpoint({
    method: 'GET',
    path: '/webhook-events',
    summary: 'List the recent events that webhooks subscribed to, the newest last',
    success: 200,
  }),
  'webhookEvents.resend': defineEndpoint({
    method: 'POST',
    path: '/webhook-events/resend',
    summary: 'Deliver recent events again, several times or in random order',
    success: 202,
    body: 'json',
  }),
  'snapshots.list': defineEndpoint({
    method: 'GET',
    path: '/snapshots',
    summary: 'List snapshots',
    success: 200,
  }),
  'snapshots.save': defineEndpoint({
    method: 'POST',
    path: '/snapshots',
    summary: 'Save a snapshot of all data, replacing one of the same name',
    success: 201,
    body: 'json',
  }),
  'snapshots.restore': defineEndpoint({
    method: 'POST',
    path: '/snapshots/{name}/restore',
    summary: 'Restore a snapshot',
    success: 204,
  }),
  overview: defineEndpoint({
    method: 'GET',
    path: '/overview',
    summary: 'Get what the dashboard shows of a tenant, token data masked',
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

export type ControlEndpoints = typeof controlEndpoints;
export type ControlId = keyof ControlEndpoints;

export const CONTROL_IDS = Object.keys(controlEndpoints) as ControlId[];

/** Returns the row of a control endpoint in its general shape. */
export function controlEndpoint(id: ControlId): ControlEndpoint {
  return controlEndpoints[id];
}
