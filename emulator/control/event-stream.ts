import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { EmulatorEvent } from '../../src/contract/control/events.js';
import { LIVE_COMMENT } from '../../src/contract/control/vocabulary.js';
import type { RequestRecords } from '../services/request-record/request-records.js';

/** Keeps proxies from closing a quiet stream. Milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Bytes waiting to be sent. A client that lets more pile up cannot keep up and is disconnected. */
const MAX_WAITING_BYTES = 1024 * 1024;

function serialize(event: EmulatorEvent): string {
  return `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

export class EventStreams {
  readonly #open = new Set<() => void>();
  #isEnding = false;

  constructor(private readonly records: Pick<RequestRecords, 'events' | 'on' | 'off'>) {}

  /** Sends recent events, a comment, then each event as it happens. @param background with those of the CLI itself */
  open(reply: FastifyReply, recent: number, tenantId?: string, background = false): void {
    const { raw } = reply;
    reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      // The connection ends with the stream, even if the client is still sending its request.
      connection: 'close',
    });
    const events = recent > 0 ? this.records.events(tenantId, background).slice(-recent) : [];
    const before = events.map(serialize).join('');
    // A client that wants the recent events only stops reading at this comment.
    raw.write(`: events\n\n${before}${LIVE_COMMENT}\n\n`);
    // One that is requested while the emulator stops has no others.
    if (this.#isEnding) raw.end();
    else this.#follow(raw, background, tenantId);
  }

  #follow(raw: ServerResponse, background: boolean, tenantId: string | undefined): void {
    const send = (event: EmulatorEvent) => {
      if (tenantId !== undefined && event.tenant_id !== tenantId) return;
      if (raw.writableLength > MAX_WAITING_BYTES) raw.destroy();
      else raw.write(serialize(event));
    };
    this.records.on('event', send);
    if (background) this.records.on('background', send);
    const heartbeat = setInterval(() => raw.write(': heartbeat\n\n'), HEARTBEAT_MS);
    heartbeat.unref();
    const stop = () => {
      clearInterval(heartbeat);
      this.records.off('event', send).off('background', send);
      this.#open.delete(end);
    };
    const end = () => {
      // Unsubscribes first: the client may still be reading when the next event happens, and a write after the end fails.
      stop();
      raw.end();
    };
    raw.on('close', stop);
    this.#open.add(end);
  }

  endAll(): void {
    this.#isEnding = true;
    for (const end of [...this.#open]) end();
  }
}
