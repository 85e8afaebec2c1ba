import * as z from 'zod';
import { logEntry } from '../schemas/applications.js';
import { timestamp } from '../schemas/common.js';
import { CONSOLE_LEVELS } from './vocabulary.js';

const status = z.int();
const milliseconds = z.number().min(0);

/** What the audit entry of a successful call says in addition to its entity. */
const audited = {
  /** How token data was shown: of a list, the transform that showed most. */
  transform: logEntry.shape.transform,
  /** Names of the fields that an update changed. */
  changed: logEntry.shape.changed,
};

/** A request of the service and its response, without headers, query and body. */
export const requestEvent = z.strictObject({
  kind: z.literal('request'),
  time: timestamp,
  trace_id: z.string(),
  method: z.string(),
  path: z.string(),
  /** Absent when the path is not that of an operation. */
  operation: z.string().optional(),
  status,
  duration_ms: milliseconds,
  tenant_id: z.string().optional(),
  application_id: z.string().optional(),
  application_name: z.string().optional(),
  ...audited,
  /** Paths of the properties of the body that `--lenient` ignored. */
  ignored: z.array(z.string()).optional(),
  /** Why a request was refused: the detail of a 401 or 403. */
  error: z.string().optional(),
  /** The CLI sent it for its own sake. Shown when asked for. */
  background: z.literal(true).optional(),
});

const reactorEvent = {
  time: timestamp,
  trace_id: z.string(),
  tenant_id: z.string(),
  reactor_id: z.string(),
  reactor_name: z.string(),
};

const reactorLogEvent = z.strictObject({
  kind: z.literal('reactor.log'),
  ...reactorEvent,
  level: z.enum(CONSOLE_LEVELS),
  message: z.string(),
});

/** A request that a reactor sent, without headers and bodies. */
const reactorRequestEvent = z.strictObject({
  kind: z.literal('reactor.request'),
  ...reactorEvent,
  method: z.string(),
  /** Without query and user info. */
  url: z.string(),
  /** Absent when there was no response. */
  status: status.optional(),
  error: z.string().optional(),
  duration_ms: milliseconds,
});

/** A call that a reactor made through `svc`, with the permissions of its application. */
const reactorCallEvent = z.strictObject({
  kind: z.literal('reactor.call'),
  ...reactorEvent,
  operation: z.string(),
  /** The status that the same request would have over HTTP. */
  status,
  duration_ms: milliseconds,
  ...audited,
});

const attempt = {
  /** Differs between the deliveries of one event. */
  request_id: z.string(),
  attempt: z.int(),
  /** Absent when there was no response. */
  status: status.optional(),
  /** The beginning of the response's body. Absent for callbacks. */
  response: z.string().optional(),
  /** Why there was no response. */
  error: z.string().optional(),
  delivered: z.boolean(),
};

const callbackEvent = z.strictObject({
  kind: z.literal('callback'),
  time: timestamp,
  tenant_id: z.string(),
  reactor_id: z.string(),
  /** Absent when the reactor was deleted. */
  reactor_name: z.string().optional(),
  ...attempt,
});

const webhookDeliveryEvent = z.strictObject({
  kind: z.literal('webhook'),
  time: timestamp,
  tenant_id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  ...attempt,
});

/** A change of the emulator itself. */
const controlEvent = z.strictObject({
  kind: z.enum(['clock', 'faults', 'reset', 'snapshot']),
  time: timestamp,
  /** Absent when it concerns all tenants. */
  tenant_id: z.string().optional(),
});

/** One server-sent event of `GET /_emulator/events`: its `event` is the kind, its `data` this object as JSON. */
export const emulatorEvent = z.discriminatedUnion('kind', [
  requestEvent,
  reactorLogEvent,
  reactorRequestEvent,
  reactorCallEvent,
  callbackEvent,
  webhookDeliveryEvent,
  controlEvent,
]);

export type RequestEvent = z.output<typeof requestEvent>;
export type ReactorLogEvent = z.output<typeof reactorLogEvent>;
export type CallbackEvent = z.output<typeof callbackEvent>;
export type EmulatorEvent = z.output<typeof emulatorEvent>;
