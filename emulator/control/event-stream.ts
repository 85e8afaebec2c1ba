import type { FastifyReply } from 'fastify';
import type { Event, Events } from '../services/events.js';

/** Keeps proxies from closing a quiet stream, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** A client that reads slower than this falls behind for good, and is cut off. Bytes waiting to be sent. */
const MAX_WAITING_BYTES = 1024 * 1024;

function message(event: Event): string {
  return `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Server-sent events: first the recent ones, then each as it happens, until the client or the emulator goes. */
export function streamEvents(reply: FastifyReply, events: Events, recent: number): () => void {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    // With the stream ends the connection, whether all of the request has been sent or not.
    connection: 'close',
  });
  const before = recent > 0 ? events.recent().slice(-recent).map(message).join('') : '';
  // The comment tells who wants no more than what has been that this is all.
  raw.write(`: events\n\n${before}: live\n\n`);
  const unsubscribe = events.subscribe((event) => {
    if (raw.writableLength > MAX_WAITING_BYTES) raw.destroy();
    else raw.write(message(event));
  });
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  heartbeat.unref();
  const stop = () => {
    clearInterval(heartbeat);
    unsubscribe();
  };
  raw.on('close', stop);
  return () => {
    // Now, since the client may still be reading when there are more events, and a write after the end is an error.
    stop();
    raw.end();
  };
}
