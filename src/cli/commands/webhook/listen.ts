import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpClient } from '../../../client/clean-up.js';
import { type Client, inBackground } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { CONTROL_PREFIX } from '../../../contract/control/endpoints.js';
import { EVENT_TYPES, type EventType, REPORTED_TYPES } from '../../../contract/event-types.js';
import { isObject, jsonOf } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import type { Settings } from '../../config/settings.js';
import { clientFor, connectTo } from '../../connect.js';
import type { Options } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import { repeatable } from '../../lib/text.js';
import { toFailure } from '../../lib/to-failure.js';
import { expandEvents } from '../shared/flag-values.js';
import { targetEmulator } from '../shared/running-emulator.js';

type ListenOptions = Options<'forwardTo'> & Options<'event', string[]>;

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

export function parseTarget(forwardTo: string | undefined): URL {
  if (forwardTo === undefined) throw usageError('--forward-to is missing.');
  if (URL.canParse(forwardTo) && /^https?:/.test(forwardTo)) return new URL(forwardTo);
  const address = `http://${/^:?\d+/.test(forwardTo) ? '127.0.0.1:' : ''}${forwardTo.replace(/^:/, '')}`;
  const isAddress = !forwardTo.includes('://') && URL.canParse(address);
  throw usageError(
    `--forward-to must be an http or https URL, not ${repeatable(forwardTo)}.${isAddress ? ` Did you mean ${address}?` : ''}`,
  );
}

interface Webhook {
  name: string;
  url: string;
  /** By default all that an emulator sends; another service may refuse types of endpoints that it does not have. */
  events: EventType[] | undefined;
}

const CHECK_MS = 1_000;

/** A webhook on a service, which is created again when an emulator that has forgotten it starts again. */
class Registration {
  #id = '';

  private constructor(
    private readonly webhook: Omit<Webhook, 'events'> & { events: EventType[] },
    private readonly context: Context,
    private client: Client,
    private readonly service: { url: string; settings: Settings; isEmulator: boolean },
  ) {}

  static async create(webhook: Webhook, context: Context): Promise<Registration> {
    const { client, settings } = context;
    const { url } = (await client.connection()).transport;
    // The emulator of this directory may have another port when it starts again.
    const { data_dir: dataDir } = (await targetEmulator(context)) ?? {};
    const pinned = dataDir === undefined ? settings : { ...settings, dataDir, dataDirFlag: dataDir };
    const isEmulator = await answersHealth(client);
    const events = webhook.events ?? (isEmulator ? EVENT_TYPES : REPORTED_TYPES);
    const service = { url: dataDir === undefined ? url : '', settings: pinned, isEmulator };
    const registration = new Registration({ ...webhook, events }, context, client, service);
    await registration.#register();
    return registration;
  }

  async keep(): Promise<void> {
    const { output, signal } = this.context;
    if (!this.service.isEmulator && !signal.aborted) await once(signal, 'abort');
    let [before, answers] = [true, true];
    while (await sleep(CHECK_MS, true, { signal }).catch(() => false)) {
      [before, answers] = [answers, await this.#check()];
      if (before && !answers)
        output.notice('The emulator does not answer. Events are forwarded again once it runs.');
      if (!before && answers) output.notice('The emulator runs again. Forwarding its events.');
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
    this.#id = (await this.client.call('webhooks.create', { body: this.webhook })).id;
  }

  /** Creates the webhook again if the emulator has forgotten it. @returns whether the emulator answers */
  async #check(): Promise<boolean> {
    try {
      await inBackground(this.client).call('webhooks.get', { path: { id: this.#id } });
      return true;
    } catch (error) {
      const isForgotten = error instanceof ServiceError && error.status === 404;
      // It has other keys if its data directory was deleted, and another program may answer at the port that it had.
      const isThere =
        isForgotten &&
        (await this.#register().then(
          () => true,
          () => false,
        ));
      if (!isThere) await this.#reconnect();
      return isThere;
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

function answersHealth(client: Client): Promise<boolean> {
  const health = client.request({ method: 'GET', path: `${CONTROL_PREFIX}/health`, permission: null });
  return health.then(
    ({ body }) => isObject(body) && 'uptime_ms' in body,
    () => false,
  );
}

interface Forwarded {
  id: string;
  type: string;
  /** That of the target; undefined when it does not answer. */
  status: number | undefined;
}

/** Receives events on a free port of this machine and forwards them with their signature. @param report is called for each */
async function startReceiver(target: URL, report: (event: Forwarded) => void) {
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await readBody(request);
    const event = body && parseEvent(body);
    if (!event) return 400;
    const status = await forward(target, request.headers, body);
    report({ ...event, status });
    return status ?? 502;
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // The sender broke off.
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Headers of the connection, which are not those of the forwarded request. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

async function forward(target: URL, headers: IncomingHttpHeaders, body: Buffer): Promise<number | undefined> {
  const forwarded = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: forwarded.map(([name, value]): [string, string] => [name, String(value)]),
      body: new Uint8Array(body),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** Bytes of an event, which holds no data. Every program and page of this machine can send to the address. */
const MAX_EVENT_BYTES = 1_048_576;

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_EVENT_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What the id and the type of an event consist of. A line feed could make one look like two in the output. */
const WORD = /^[\w.-]{1,100}$/;

function parseEvent(body: Buffer): { id: string; type: string } | undefined {
  const content = jsonOf(body.toString());
  if (!isObject(content) || !isObject(content.event)) return undefined;
  const { id, type } = content.event;
  const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);
  return isWord(id) && isWord(type) ? { id, type } : undefined;
}
