import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpClient } from '../../client/clean-up.js';
import type { WebhookEvent } from '../../contract/control/deliveries.js';
import { isObject, jsonOf } from '../../contract/json.js';
import type { Context } from '../command.js';
import { usageError } from '../lib/errors.js';
import { resolveId } from '../lib/lookup.js';
import { toFailure } from '../lib/to-failure.js';
import { cellText } from '../output/table.js';
import { expandEvents } from './shared/flag-values.js';
import { callControl } from './shared/running-emulator.js';

interface ListenOptions {
  forwardTo?: string | undefined;
  event?: string[] | undefined;
}

/** Receives events at a temporary webhook and forwards them, until Ctrl-C. */
export async function listen({ forwardTo, event }: ListenOptions, context: Context) {
  const { client, output, signal } = context;
  const target = parseTarget(forwardTo);
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await readBody(request);
    const event = body && parseEvent(body);
    if (!event) return 400;
    const status = await forward(target, request.headers, body);
    output.text(`${event.type}  ${event.id}  ${status ?? 'no response'}`);
    return status ?? 502;
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // The sender broke off.
      () => response.destroy(),
    );
  });
  const url = await startServer(server);
  try {
    const body = { name: `tokenctl webhook listen (${url})`, url, events: expandEvents(event ?? ['*']) };
    const { id } = await client.call('webhooks.create', { body });
    output.notice(`Forwarding events to ${target.href}. Press Ctrl-C to stop.`);
    if (!signal.aborted) await once(signal, 'abort');
    await cleanUpClient(client)
      .call('webhooks.delete', { path: { id } })
      .catch((error) => {
        const { detail } = toFailure(error);
        output.warn(`The webhook is left on the service: ${detail} Delete it: tokenctl webhook delete ${id}`);
      });
    signal.throwIfAborted();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function parseTarget(forwardTo: string | undefined): URL {
  if (forwardTo === undefined) throw usageError('--forward-to is missing.');
  if (URL.canParse(forwardTo) && /^https?:/.test(forwardTo)) return new URL(forwardTo);
  throw usageError('--forward-to must be an http or https URL.');
}

async function startServer(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Headers of the connection, which are not those of the forwarded request. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

/** @returns the status of the target; undefined when it does not answer */
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

/** @returns undefined if it is longer than an event */
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

export async function pingWebhook({ webhook }: { webhook: string | undefined }, { client, output }: Context) {
  if (webhook === undefined) {
    await client.call('ping');
    return output.notice('The service answers, and the key is valid.');
  }
  const id = await resolveId(client, 'webhook', webhook);
  await output.result(await client.call('webhooks.ping', { path: { id } }), { redaction: 'plain' });
}

export async function listEventTypes(_options: object, { client, output }: Context) {
  const types = await client.call('webhooks.eventTypes');
  await output.list(
    types.map((type) => ({ type })),
    { redaction: 'plain', columns: [{ title: 'TYPE', field: 'type' }] },
  );
}

/** Columns of the longest type, `application.created`. */
const TYPE_WIDTH = 19;
/** Columns to which the id of an entity may be cut. */
const ENTITY_WIDTH = 18;

export async function listEvents(_options: object, context: Context) {
  const { events } = await callControl(context, 'webhookEvents.list');
  await context.output.list(events, {
    redaction: 'plain',
    columns: [
      { title: 'ID', field: 'id', format: 'id', importance: 4 },
      { title: 'TYPE', field: 'type', min: TYPE_WIDTH, importance: 3 },
      { title: 'ENTITY', field: 'data', show: showEntity, min: ENTITY_WIDTH, importance: 2 },
      { title: 'TIME', field: 'timestamp', format: 'time', importance: 1 },
    ],
    empty: 'No events. They are kept while a webhook subscribes to them.',
  });
}

/** Formats what an event is about: its name, or the id of what has none. */
function showEntity(data: unknown): string {
  const [entity] = Object.entries(data as WebhookEvent['data']).flatMap(([name, value]) =>
    name === 'actor' || !isObject(value) ? [] : [value],
  );
  return cellText(entity?.name ?? entity?.id);
}

interface ResendOptions {
  id: string[];
  times?: number | undefined;
  shuffle?: boolean | undefined;
}

export async function resendEvents({ id: ids, times, shuffle }: ResendOptions, context: Context) {
  const body = { ids: ids.length > 0 ? ids : undefined, times, shuffle };
  const result = await callControl(context, 'webhookEvents.resend', { body });
  await context.output.result(result, { redaction: 'plain' });
}
