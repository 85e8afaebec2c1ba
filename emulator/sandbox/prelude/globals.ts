// Adds the globals of Node.js that the engine lacks. Packages look for them when they are evaluated.
import './newer-features.js';
import structuredClone from '@ungap/structured-clone';
import { Buffer } from 'buffer';
import * as streams from 'web-streams-polyfill';
import { atob, btoa } from './node-modules/buffer.js';
import { createProcess } from './node-modules/process.js';
import { Blob, File } from './web/blob.js';
import { createConsole } from './web/console.js';
import { AbortController, AbortSignal, Event, EventTarget } from './web/events.js';
import { createIntl, installLocaleStrings } from './web/intl.js';
import { TextDecoder, TextEncoder } from './web/text-encoding.js';
import { timers } from './web/timers.js';
import { URL, URLSearchParams } from './web/url.js';

/** Defines globals, which are not enumerable, like those of the engine. */
export function defineGlobals(values: object): void {
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
    setToStringTag(name, value);
  }
}

/** Sets the name in `Object.prototype.toString`, by which packages recognize instances. */
function setToStringTag(name: string, value: unknown): void {
  const prototype = typeof value === 'function' ? (value.prototype as object | undefined) : undefined;
  if (prototype === undefined || name === 'Buffer') return;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}

installLocaleStrings();
defineGlobals({
  ...timers,
  ...streams,
  AbortController,
  AbortSignal,
  Blob,
  Buffer,
  Event,
  EventTarget,
  File,
  Intl: createIntl(),
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  console: createConsole(),
  global: globalThis,
  process: createProcess(),
  structuredClone: (value: unknown) => structuredClone(value as object),
});

/** What `isDisturbed` of `stream` reads. */
Object.defineProperty(streams.ReadableStream.prototype, Symbol.for('nodejs.stream.disturbed'), {
  get(this: { _disturbed: boolean }) {
    return this._disturbed;
  },
});
