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
import { createOutbound } from './outbound/outbound.js';

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
  now: string;
  due: DueItem[];
  events: WebhookEvent[];
  /** What is due and was not delivered in time. */
  pending: PendingDelivery[];
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

/** The clock of an emulator or of a tenant. A change resolves with the deliveries that became due and are still pending. */
function clockControls(control: ControlClient, tenant: string | undefined) {
  const change = (body: ClockChange, { waitMs }: WaitOptions = {}) =>
    control.call('clock.change', { tenant, body: { ...body, wait_ms: waitMs } });
  return {
    /** Milliseconds since 1970. */
    now: async () => Date.parse((await control.call('clock.get', { tenant })).now),
    /** @param time ISO 8601, a date, or milliseconds since 1970 */
    set: async (time: string | number | Date, options?: WaitOptions): Promise<PendingDelivery[]> => {
      const now = typeof time === 'string' ? time : new Date(time).toISOString();
      return (await change({ now }, options)).pending;
    },
    /** @param duration `90m`, `1h30m`, `2d`, ISO 8601 (`PT90M`), or milliseconds; negative to go back */
    advance: async (duration: string | number, options?: WaitOptions): Promise<PendingDelivery[]> => {
      const text = typeof duration === 'string' ? duration : `${duration}ms`;
      return (await change({ advance: text }, options)).pending;
    },
    /** Lists what becomes due next, up to 100: tokens, keys and cvc that expire, attempts of deliveries. */
    next: async (): Promise<DueItem[]> => (await control.call('clock.next', { tenant })).due,
    /** Moves to the time of the next of them. @returns what became due, and the webhook events that it caused */
    async step(options?: WaitOptions): Promise<ClockStep> {
      const events = async () => (await control.call('webhookEvents.list', { tenant })).events;
      const before = new Set((await events()).map(({ id }) => id));
      const { now, due = [], pending } = await change({ next: true }, options);
      return { now, due, pending, events: (await events()).filter(({ id }) => !before.has(id)) };
    },
    freeze: async (): Promise<void> => void (await change({ frozen: true })),
    resume: async (): Promise<void> => void (await change({ frozen: false })),
    /** Returns to the time of the start. */
    reset: async (): Promise<void> => void (await change({ reset: true })),
  };
}

/** What tests control of a whole emulator, or of one of its tenants. */
export function createControls(control: ControlClient, tenant?: string) {
  const outbound = createOutbound(control, tenant);
  return {
    clock: clockControls(control, tenant),
    faults: {
      /** `{ operation: 'tokens.get', status: 429, retry_after: 1, times: 1 }` */
      add: (body: FaultSpec): Promise<Fault> => control.call('faults.add', { tenant, body }),
      list: async (): Promise<Fault[]> => (await control.call('faults.list', { tenant })).faults,
      remove: (id: string) => control.call('faults.remove', { tenant, path: { id } }),
      clear: () => control.call('faults.clear', { tenant }),
    },
    snapshots: {
      /** Replaces a snapshot of the same name. */
      save: (name: string): Promise<SnapshotInfo> =>
        control.call('snapshots.save', { tenant, body: { name } }),
      restore: (name: string) => control.call('snapshots.restore', { tenant, path: { name } }),
      list: async (): Promise<SnapshotInfo[]> => (await control.call('snapshots.list', { tenant })).snapshots,
    },
    requests: {
      /** The recent requests of the service with masked bodies, the newest last. */
      list: async (): Promise<JournaledRequest[]> =>
        (await control.call('requests.list', { tenant })).requests,
      /**
       * Asserts that requests were sent: `{ operation: 'reactors.react', times: 1, body: { args: { amount: 5 } } }`.
       * @throws {VerificationError} that names the nearest request and where it differs
       */
      verify: async (body: RequestExpectation) => {
        const verification = await control.call('requests.verify', { tenant, body });
        if (!verification.ok) throw new VerificationError(body, verification);
      },
      /** The recent requests that no `verify` has matched. */
      findUnexpected: async (): Promise<JournaledRequest[]> =>
        (await control.call('requests.unexpected', { tenant })).requests,
      /** Forgets the recent requests, invocations and what they sent, such as those that set a test up. */
      clear: () => control.call('requests.clear', { tenant }),
      /** Explains why the requests under a trace ID were refused, or what they were shown, as `tokenctl auth explain` does. */
      explain: async (traceId: string) =>
        describeAccess(await control.call('access.explain', { tenant, path: { traceId } })),
    },
    invocations: {
      /** The recent invocations, the newest last: status, phases, console, requests, and the stack of an error, masked. */
      list: async (): Promise<ReactorTrace[]> => (await control.call('traces.list', { tenant })).traces,
    },
    outbound,
    /** Token data that appeared outside of the service. The emulators of the kits and of `emulator exec --fail-on-leak` look for it. */
    leaks: {
      /** Lists what was found so far, and what is in the texts. */
      find: async (...texts: string[]): Promise<Leak[]> =>
        (await control.call('leaks.find', { tenant, body: { texts } })).leaks,
    },
    /** Callbacks and webhook events that no receiver has accepted yet. */
    deliveries: {
      list: async (): Promise<PendingDelivery[]> =>
        (await control.call('deliveries.list', { tenant })).deliveries,
      /** Resolves when none is pending, or after the time with those that are. */
      wait: async ({ waitMs }: WaitOptions = {}): Promise<PendingDelivery[]> =>
        (await control.call('deliveries.wait', { tenant, body: { wait_ms: waitMs } })).deliveries,
      /** Sends a recent callback again, or a pending one at once. @param id the header `SVC-REQUEST-ID` */
      resend: (id: string): Promise<PendingDelivery> =>
        control.call('deliveries.resend', { tenant, path: { id } }),
    },
    webhookEvents: {
      /** The newest last. */
      list: async (): Promise<WebhookEvent[]> =>
        (await control.call('webhookEvents.list', { tenant })).events,
      /**
       * Delivers recent events again: those with the ids, or all; each `times` times, in random order if asked.
       * @returns the number of deliveries
       */
      resend: async (body: ResendOptions = {}) =>
        (await control.call('webhookEvents.resend', { tenant, body })).deliveries,
      /** Sends an event that nothing has caused, with made-up data, as a real one is sent. */
      trigger: async (body: TriggerOptions): Promise<WebhookEvent> =>
        (await control.call('webhookEvents.trigger', { tenant, body })).event,
    },
    /** Returns to a fresh start. Ids and keys stay. */
    async reset() {
      await outbound.clear();
      await control.call('reset', { tenant });
    },
  };
}

export interface Controls extends Readonly<ReturnType<typeof createControls>> {}
export type ClockControls = Controls['clock'];
export type FaultControls = Controls['faults'];
export type SnapshotControls = Controls['snapshots'];
export type RequestControls = Controls['requests'];
export type InvocationControls = Controls['invocations'];
export type LeakControls = Controls['leaks'];
export type DeliveryControls = Controls['deliveries'];
export type WebhookEventControls = Controls['webhookEvents'];
