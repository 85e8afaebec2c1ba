import type { ControlClient } from '../client/control.js';
import { describeAccess, describeVerification } from '../client/explanations.js';
import type { ClockChange, DueItem } from '../contract/control/clock.js';
import type { PendingDelivery, WebhookEvent } from '../contract/control/deliveries.js';
import type { Fault, FaultSpec } from '../contract/control/faults.js';
import type { Leak } from '../contract/control/leaks.js';
import type {
  JournaledRequest,
  RequestExpectation,
  RequestVerification,
} from '../contract/control/request-journal.js';
import type { ControlInput, SnapshotInfo } from '../contract/control/schemas.js';
import type { ReactorTrace } from '../contract/control/traces.js';
import { createOutbound, type OutboundControls } from './outbound/outbound.js';

/** Which recent events are delivered again, and how. */
export type ResendOptions = ControlInput<'webhookEvents.resend'>['body'];

/** An event that nothing has caused: `{ type: 'token.expired', data: { token: { id } } }`. */
export type TriggerOptions = ControlInput<'webhookEvents.trigger'>['body'];

/** Milliseconds to wait for deliveries at most; 10,000 by default. */
export interface WaitOptions {
  waitMs?: number;
}

/** What became due when the clock moved on. */
export interface ClockStep {
  /** ISO 8601. */
  now: string;
  due: DueItem[];
  events: WebhookEvent[];
  /** What is due and was not delivered in time. */
  pending: PendingDelivery[];
}

/** The clock of an emulator or of a tenant. A change resolves with the deliveries that became due and are still pending. */
export interface ClockControls {
  /** Milliseconds since 1970. */
  now(): Promise<number>;
  /** @param time ISO 8601, a date, or milliseconds since 1970 */
  set(time: string | number | Date, options?: WaitOptions): Promise<PendingDelivery[]>;
  /** @param duration `90m`, `1h30m`, `2d`, ISO 8601 (`PT90M`), or milliseconds; negative to go back */
  advance(duration: string | number, options?: WaitOptions): Promise<PendingDelivery[]>;
  /** Lists what becomes due next, up to 100: tokens, keys and cvc that expire, attempts of deliveries. */
  next(): Promise<DueItem[]>;
  /** Moves to the time of the next of them. @returns what became due, and the webhook events that it caused */
  step(options?: WaitOptions): Promise<ClockStep>;
  freeze(): Promise<void>;
  resume(): Promise<void>;
  /** Returns to the time of the start. */
  reset(): Promise<void>;
}

export interface FaultControls {
  /** `{ operation: 'tokens.get', status: 429, retry_after: 1, times: 1 }` */
  add(fault: FaultSpec): Promise<Fault>;
  list(): Promise<Fault[]>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

export interface SnapshotControls {
  /** Replaces a snapshot of the same name. */
  save(name: string): Promise<SnapshotInfo>;
  restore(name: string): Promise<void>;
  list(): Promise<SnapshotInfo[]>;
}

export interface RequestControls {
  /** The recent requests of the service with masked bodies, the newest last. */
  list(): Promise<JournaledRequest[]>;
  /**
   * Asserts that requests were sent: `{ operation: 'reactors.react', times: 1, body: { args: { amount: 5 } } }`.
   * @throws {VerificationError} that names the nearest request and where it differs
   */
  verify(expectation: RequestExpectation): Promise<void>;
  /** The recent requests that no `verify` has matched. */
  findUnexpected(): Promise<JournaledRequest[]>;
  /** Forgets the recent requests, invocations and what they sent, such as those that set a test up. */
  clear(): Promise<void>;
  /** Explains why the requests under a trace ID were refused, or what they were shown, as `tokenctl auth explain` does. */
  explain(traceId: string): Promise<string>;
}

/** Requests were not sent as expected. The message names the nearest one, with its values masked. */
export class VerificationError extends Error {
  override name = 'VerificationError';

  constructor(
    expectation: RequestExpectation,
    readonly verification: RequestVerification,
  ) {
    super(describeVerification(expectation, verification));
  }
}

/** What reactors did. */
export interface InvocationControls {
  /** The recent invocations, the newest last: status, phases, console, requests, and the stack of an error, masked. */
  list(): Promise<ReactorTrace[]>;
}

/** Callbacks and webhook events that no receiver has accepted yet. */
export interface DeliveryControls {
  list(): Promise<PendingDelivery[]>;
  /** Resolves when none is pending, or after the time with those that are. */
  wait(options?: WaitOptions): Promise<PendingDelivery[]>;
  /** Sends a recent callback again, or a pending one at once. @param requestId the header `SVC-REQUEST-ID` */
  resend(requestId: string): Promise<PendingDelivery>;
}

/** The recent events that webhooks subscribed to. */
export interface WebhookEventControls {
  /** The newest last. */
  list(): Promise<WebhookEvent[]>;
  /**
   * Delivers recent events again: those with the ids, or all; each `times` times, in random order if asked.
   * @returns the number of deliveries
   */
  resend(options?: ResendOptions): Promise<number>;
  /** Sends an event that nothing has caused, with made-up data, as a real one is sent. */
  trigger(options: TriggerOptions): Promise<WebhookEvent>;
}

/** Token data that appeared outside of the service. The emulators of the kits and of `emulator exec --fail-on-leak` look for it. */
export interface LeakControls {
  /** Lists what was found so far, and what is in the texts. */
  find(...texts: string[]): Promise<Leak[]>;
}

/** What tests control of a whole emulator, or of one of its tenants. */
export interface Controls {
  readonly clock: ClockControls;
  readonly faults: FaultControls;
  readonly snapshots: SnapshotControls;
  readonly requests: RequestControls;
  readonly invocations: InvocationControls;
  readonly outbound: OutboundControls;
  readonly leaks: LeakControls;
  readonly deliveries: DeliveryControls;
  readonly webhookEvents: WebhookEventControls;
  /** Returns to a fresh start. Ids and keys stay. */
  reset(): Promise<void>;
}

export function createControls(control: ControlClient, tenant?: string): Controls {
  const outbound = createOutbound(control, tenant);
  return {
    clock: clockControls(control, tenant),
    faults: {
      add: (body) => control.call('faults.add', { tenant, body }),
      list: async () => (await control.call('faults.list', { tenant })).faults,
      remove: (id) => control.call('faults.remove', { tenant, path: { id } }),
      clear: () => control.call('faults.clear', { tenant }),
    },
    snapshots: {
      save: (name) => control.call('snapshots.save', { tenant, body: { name } }),
      restore: (name) => control.call('snapshots.restore', { tenant, path: { name } }),
      list: async () => (await control.call('snapshots.list', { tenant })).snapshots,
    },
    requests: {
      list: async () => (await control.call('requests.list', { tenant })).requests,
      verify: async (body) => {
        const verification = await control.call('requests.verify', { tenant, body });
        if (!verification.ok) throw new VerificationError(body, verification);
      },
      findUnexpected: async () => (await control.call('requests.unexpected', { tenant })).requests,
      clear: () => control.call('requests.clear', { tenant }),
      explain: async (traceId) =>
        describeAccess(await control.call('access.explain', { tenant, path: { traceId } })),
    },
    invocations: { list: async () => (await control.call('traces.list', { tenant })).traces },
    outbound,
    leaks: {
      find: async (...texts) => (await control.call('leaks.find', { tenant, body: { texts } })).leaks,
    },
    deliveries: {
      list: async () => (await control.call('deliveries.list', { tenant })).deliveries,
      wait: async ({ waitMs } = {}) =>
        (await control.call('deliveries.wait', { tenant, body: { wait_ms: waitMs } })).deliveries,
      resend: (id) => control.call('deliveries.resend', { tenant, path: { id } }),
    },
    webhookEvents: {
      list: async () => (await control.call('webhookEvents.list', { tenant })).events,
      resend: async (body = {}) => (await control.call('webhookEvents.resend', { tenant, body })).deliveries,
      trigger: async (body) => (await control.call('webhookEvents.trigger', { tenant, body })).event,
    },
    async reset() {
      await outbound.clear();
      await control.call('reset', { tenant });
    },
  };
}

function clockControls(control: ControlClient, tenant: string | undefined): ClockControls {
  const change = (body: ClockChange, { waitMs }: WaitOptions = {}) =>
    control.call('clock.change', { tenant, body: { ...body, wait_ms: waitMs } });
  return {
    now: async () => Date.parse((await control.call('clock.get', { tenant })).now),
    set: async (time, options) => {
      const now = typeof time === 'string' ? time : new Date(time).toISOString();
      return (await change({ now }, options)).pending;
    },
    advance: async (duration, options) => {
      const text = typeof duration === 'string' ? duration : `${duration}ms`;
      return (await change({ advance: text }, options)).pending;
    },
    next: async () => (await control.call('clock.next', { tenant })).due,
    async step(options) {
      const events = async () => (await control.call('webhookEvents.list', { tenant })).events;
      const before = new Set((await events()).map(({ id }) => id));
      const { now, due = [], pending } = await change({ next: true }, options);
      return { now, due, pending, events: (await events()).filter(({ id }) => !before.has(id)) };
    },
    freeze: async () => void (await change({ frozen: true })),
    resume: async () => void (await change({ frozen: false })),
    reset: async () => void (await change({ reset: true })),
  };
}
