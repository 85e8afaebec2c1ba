import * as z from 'zod';
import { ORIGIN, ORIGIN_RULE } from '../emulator-options.js';
import { LIMITS } from '../limits.js';
import type { PathParameters } from '../operation-row.js';
import { empty, name, pageQuery, timestamp } from '../schemas/common.js';
import { schemas } from '../schemas/index.js';
import { accessExplanation } from './access.js';
import { changedClock, clockChange, clockState, dueItem } from './clock.js';
import { pendingDelivery, resendRequest, triggerRequest, waitMs, webhookEvent } from './deliveries.js';
import type { ControlEndpoints, ControlId } from './endpoints.js';
import { fault, faultSpec } from './faults.js';
import { leak } from './leaks.js';
import { outboundCall, redirects } from './outbound.js';
import { journaledRequest, requestExpectation, requestVerification } from './request-journal.js';
import { credentials, workingCredentials } from './state-file.js';
import { health, stats } from './status.js';
import { reactorTrace } from './traces.js';
import { SNAPSHOT_NAME, SNAPSHOT_NAME_RULE } from './vocabulary.js';

const tokenQuery = z.strictObject({
  /** A Lucene query as of `POST /tokens/search`; all tokens by default. */
  query: z.string().max(LIMITS.searchQueryCharacters).optional(),
  ...pageQuery,
});

/** Tokens with masked data. Reading them leaves no trace: no audit entry, no activity. */
const tokenPage = schemas['tokens.search'].responses[200];

const allowedOrigin = z.strictObject({ origin: z.string().regex(ORIGIN, ORIGIN_RULE) });

/** The origins whose pages may call the operations of the service. */
const allowedOrigins = z.strictObject({ origins: z.array(z.string()) });

const named = z.strictObject({ id: z.string(), name: z.string() });

/** What the dashboard shows of one tenant. Reading it leaves no trace: no audit entry, no activity. */
const overview = z.strictObject({
  tenants: z.array(named),
  tenant: named.extend({ settings: schemas['tenants.get'].responses[200].shape.settings }),
  usage: schemas['tenants.usage'].responses[200].shape.token_report,
  tokens: z.int(),
  header_prefix: z.string(),
});

const newSnapshot = z.strictObject({
  name: z.string().regex(SNAPSHOT_NAME, `must be ${SNAPSHOT_NAME_RULE}`),
});

const snapshot = z.strictObject({
  name: z.string(),
  created_at: timestamp,
  tokens: z.int().min(0),
});

/** Events that a stream may start with. */
const MAX_RECENT = 2_000;

export interface ControlSchemas {
  /** Left out: no parameter is accepted. */
  query?: z.ZodType;
  body?: z.ZodType;
  response: z.core.$ZodType;
}

/** Includes the requests that the CLI sent for its own sake. */
const background = z.literal('true').optional();

export const noParameters = z.strictObject({});

const redactable = z.strictObject({ text: z.string() });
const redirectsBody = z.strictObject({ redirects });
const traces = z.strictObject({ traces: z.array(reactorTrace) });
const requests = z.strictObject({ requests: z.array(journaledRequest) });
const deliveries = z.strictObject({ deliveries: z.array(pendingDelivery) });

/** The schemas of every control endpoint; a missing one is a compile error. */
export const controlSchemas = {
  health: { response: health },
  ready: { response: z.strictObject({ status: z.literal('ready') }) },
  metrics: { response: z.string() },
  dashboard: { response: z.string() },
  stop: { response: empty },
  reset: { response: empty },
  'clock.get': { response: clockState },
  'clock.next': { response: z.strictObject({ due: z.array(dueItem) }) },
  'clock.change': { body: clockChange, response: changedClock },
  'faults.list': { response: z.strictObject({ faults: z.array(fault) }) },
  'faults.add': { body: faultSpec, response: fault },
  'faults.clear': { response: empty },
  'faults.remove': { response: empty },
  'origins.list': { response: allowedOrigins },
  'origins.add': { body: allowedOrigin, response: allowedOrigins },
  'origins.remove': { query: z.strictObject({ origin: z.string() }), response: empty },
  'redirects.get': { response: redirectsBody },
  'redirects.set': { body: redirectsBody, response: redirectsBody },
  'outbound.list': { response: z.strictObject({ calls: z.array(outboundCall) }) },
  'requests.list': {
    /** Only the requests under a trace id; only those that failed. */
    query: z.strictObject({
      trace_id: z.string().optional(),
      failed: z.literal('true').optional(),
      background,
    }),
    response: requests,
  },
  'requests.verify': { body: requestExpectation, response: requestVerification },
  'requests.unexpected': { response: requests },
  'requests.clear': { response: empty },
  redact: { body: redactable, response: redactable },
  'leaks.find': {
    body: z.strictObject({ texts: z.array(z.string()).default([]) }),
    response: z.strictObject({ leaks: z.array(leak) }),
  },
  'stats.get': { response: stats },
  'traces.list': { response: traces },
  'traces.get': { response: traces },
  'access.explain': { response: accessExplanation },
  events: {
    /** How many recent events come first; 0 by default. */
    query: z.strictObject({
      recent: z.coerce.number().int().min(0).max(MAX_RECENT).default(0),
      background,
    }),
    response: empty,
  },
  'webhookEvents.list': { response: z.strictObject({ events: z.array(webhookEvent) }) },
  'webhookEvents.resend': {
    body: resendRequest,
    response: z.strictObject({ deliveries: z.int().min(0) }),
  },
  'webhookEvents.trigger': {
    body: triggerRequest,
    response: z.strictObject({ event: webhookEvent, deliveries: z.int().min(1) }),
  },
  'deliveries.list': { response: deliveries },
  'deliveries.wait': { body: z.strictObject({ wait_ms: waitMs }), response: deliveries },
  'deliveries.resend': { response: pendingDelivery },
  'snapshots.list': { response: z.strictObject({ snapshots: z.array(snapshot) }) },
  'snapshots.save': { body: newSnapshot, response: snapshot },
  'snapshots.restore': { response: empty },
  overview: {
    /** The newest tenant by default. */
    query: z.strictObject({ tenant: z.string().optional() }),
    response: overview,
  },
  'tenants.tokens': { query: tokenQuery, response: tokenPage },
  'tenants.list': { response: z.strictObject({ tenants: z.array(workingCredentials) }) },
  /** `from` is the id of a tenant whose content the new one gets: that of one of its snapshots, if `snapshot` names it. */
  'tenants.create': {
    body: z.strictObject({ name, from: z.string().optional(), snapshot: z.string().optional() }),
    response: credentials,
  },
  'tenants.delete': { response: empty },
  /** A document of the emulator's store, whose format it checks itself. */
  'tenants.export': { response: z.unknown() },
  'tenants.import': { body: z.unknown(), response: empty },
} satisfies Record<ControlId, ControlSchemas>;

export type Overview = z.output<typeof overview>;
export type SnapshotInfo = z.output<typeof snapshot>;

type Schemas = typeof controlSchemas;
type SchemaOf<Id extends ControlId, Part extends string> =
  Schemas[Id] extends Record<Part, infer Schema extends z.ZodType> ? Schema : never;

/** The query that a caller passes; every parameter is optional. */
type ControlQuery<Query> = { readonly [Name in keyof Query]?: string | number | undefined };

/** What a caller passes to a control endpoint; only the parts that the endpoint has. */
export type ControlInput<Id extends ControlId> = ([PathParameters<ControlEndpoints[Id]['path']>] extends [
  never,
]
  ? { path?: never }
  : { path: Record<PathParameters<ControlEndpoints[Id]['path']>, string> }) &
  (Schemas[Id] extends { query: z.ZodType }
    ? { query?: ControlQuery<z.output<SchemaOf<Id, 'query'>>> }
    : { query?: never }) &
  (Schemas[Id] extends { body: z.ZodType } ? { body: z.input<SchemaOf<Id, 'body'>> } : { body?: never }) &
  (ControlEndpoints[Id] extends { perTenant: true } ? { tenant?: string | undefined } : { tenant?: never });

/** The endpoints that respond with JSON. */
export type JsonControlId = Exclude<ControlId, 'events' | 'dashboard' | 'metrics'>;

/** The input of a call; optional when the endpoint has neither path parameters nor a body. */
export type ControlArguments<Id extends JsonControlId> =
  Record<never, never> extends ControlInput<Id> ? [input?: ControlInput<Id>] : [input: ControlInput<Id>];

/** What a handler receives: checked, defaults filled in. */
export interface ControlRequest<Id extends ControlId> {
  /** The tenant that the request is about; undefined for the whole emulator. */
  tenant: string | undefined;
  path: Record<PathParameters<ControlEndpoints[Id]['path']>, string>;
  query: z.output<SchemaOf<Id, 'query'>>;
  body: z.output<SchemaOf<Id, 'body'>>;
}

export type ControlBody<Id extends ControlId> = z.output<Schemas[Id]['response']>;

export const schemasOf = (id: ControlId): ControlSchemas => controlSchemas[id];
