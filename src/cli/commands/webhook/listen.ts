import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpClient } from '../../../client/clean-up.js';
import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { EVENT_TYPES, type EventType, REPORTED_TYPES } from '../../../contract/event-types.js';
import type { Context } from '../../command.js';
import type { Settings } from '../../config/settings.js';
import { clientFor, connectTo } from '../../connect.js';
import { usageError } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import { expandEvents } from '../shared/flag-values.js';
import { targetEmulator } from '../shared/running-emulator.js';
import { startReceiver } from './receiver.js';

interface ListenOptions {
  forwardTo?: string | undefined;
  event?: string[] | undefined;
}

/** Receives events at a temporary webhook and forwards them, until Ctrl-C. */
export async function listen({ forwardTo, event }: ListenOptions, context: Context) {
  const { output, signal } = context;
  const target = parseTarget(forwardTo);
  const events = event && expandEvents(event);
  const receiver = await startReceiver(target, ({ type, id, status }) =>
    output.text(`${type}  ${id}  ${status ?? 'no response'}`),
  );
  try {
    const body = { name: `tokenctl webhook listen (${receiver.url})`, url: receiver.url, events };
    const registration = await Registration.create(body, context);
    output.notice(`Forwarding events to ${target.href}. Press Ctrl-C to stop.`);
    await registration.keep().finally(() => registration.remove());
    signal.throwIfAborted();
  } finally {
    receiver.close();
  }
}

/** @throws {CliError} if events cannot be forwarded to it */
export function parseTarget(forwardTo: string | undefined): URL {
  if (forwardTo === undefined) throw usageError('--forward-to is missing.');
  if (URL.canParse(forwardTo) && /^https?:/.test(forwardTo)) return new URL(forwardTo);
  throw usageError('--forward-to must be an http or https URL.');
}

interface Webhook {
  name: string;
  url: string;
  /** By default all that an emulator sends; another service may refuse types of endpoints that it does not have. */
  events: EventType[] | undefined;
}

const CHECK_MS = 1_000;
/** By how many milliseconds the time of a start may seem to differ between two looks. */
const TOLERANCE_MS = 500;

/** A webhook on a service, which is created again when an emulator that has forgotten it starts again. */
class Registration {
  #id = '';
  #events: EventType[] = REPORTED_TYPES;
  /** When the emulator started; undefined while it does not answer, and of a service that is none. */
  #seen: number | undefined;

  private constructor(
    private readonly webhook: Webhook,
    private readonly context: Context,
    private client: Client,
    private readonly service: { url: string; settings: Settings },
  ) {}

  static async create(webhook: Webhook, context: Context): Promise<Registration> {
    const { client, settings } = context;
    const { url } = (await client.connection()).transport;
    // The emulator of this directory may have another port when it starts again.
    const { data_dir: dataDir } = (await targetEmulator(context)) ?? {};
    const pinned = dataDir === undefined ? settings : { ...settings, dataDir, dataDirFlag: dataDir };
    const registration = new Registration(webhook, context, client, {
      url: dataDir === undefined ? url : '',
      settings: pinned,
    });
    registration.#seen = await registration.#startOfEmulator();
    registration.#events =
      webhook.events ?? (registration.#seen === undefined ? REPORTED_TYPES : EVENT_TYPES);
    await registration.#register();
    return registration;
  }

  /** Resolves after Ctrl-C. */
  async keep(): Promise<void> {
    const { output, signal } = this.context;
    if (this.#seen === undefined && !signal.aborted) await once(signal, 'abort');
    const tick = () => sleep(CHECK_MS, true, { signal }).catch(() => false);
    while (await tick()) {
      const start = await this.#startOfEmulator();
      if (start === undefined && this.#seen !== undefined)
        output.notice('The emulator does not answer. Events are forwarded again once it runs.');
      if (start !== undefined && (this.#seen === undefined || Math.abs(start - this.#seen) > TOLERANCE_MS)) {
        // It has other keys if its data directory was deleted meanwhile.
        await this.#reconnect();
        await this.#registerAgain();
      }
      this.#seen = start;
    }
  }

  async remove(): Promise<void> {
    await cleanUpClient(this.client)
      .call('webhooks.delete', { path: { id: this.#id } })
      .catch((error) => {
        const { detail } = toFailure(error);
        this.context.output.warn(
          `The webhook is left on the service: ${detail} Delete it: tokenctl webhook delete ${this.#id}`,
        );
      });
  }

  async #register(): Promise<void> {
    const { name, url } = this.webhook;
    const body = { name, url, events: this.#events };
    this.#id = (await this.client.call('webhooks.create', { body })).id;
  }

  async #registerAgain(): Promise<void> {
    try {
      await this.client.call('webhooks.get', { path: { id: this.#id } });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      await this.#register();
    }
    this.context.output.notice('The emulator runs again. Forwarding its events.');
  }

  /** Returns when the process of the emulator started; undefined when it does not answer, or the service is no emulator. */
  async #startOfEmulator(): Promise<number | undefined> {
    try {
      const { body } = await this.client.request({
        method: 'GET',
        path: '/_emulator/health',
        permission: null,
      });
      const { uptime_ms } = body as { uptime_ms?: number };
      return uptime_ms === undefined ? undefined : Date.now() - uptime_ms;
    } catch {
      // Another program may answer at the port that the emulator had.
      await this.#reconnect();
      return undefined;
    }
  }

  /** Looks where the emulator listens now. A service with another address is never taken for it. */
  async #reconnect(): Promise<void> {
    const { output, prompts, signal } = this.context;
    const { url, settings } = this.service;
    const client = clientFor({ settings, signal }, () => connectTo(settings, { output, prompts }));
    const connection = await client.connection().catch(() => undefined);
    if (connection && (url === '' || url === connection.transport.url)) this.client = client;
  }
}
