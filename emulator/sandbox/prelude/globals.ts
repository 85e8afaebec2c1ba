import structuredClone from '@ungap/structured-clone';
import { Buffer } from 'buffer';
import type { Host } from './bridge/host.js';
import { atob, btoa, patchBuffer } from './node-modules/buffer.js';
import { createWebCrypto } from './node-modules/crypto.js';
import { loadBundle } from './node-modules/load-bundle.js';
import { createProcess } from './node-modules/process.js';
import { requireModule } from './node-modules/require.js';
import { Blob, File } from './web/blob.js';
import { createConsole } from './web/console.js';
import { AbortController, AbortSignal, Event, EventTarget } from './web/events.js';
import { fetch } from './web/fetch/fetch.js';
import { FormData } from './web/fetch/form-data.js';
import { Headers } from './web/fetch/headers.js';
import { Request } from './web/fetch/request.js';
import { Response } from './web/fetch/response.js';
import { createIntl, installLocaleStrings } from './web/intl.js';
import { TextDecoder, TextEncoder } from './web/text-encoding.js';
import { createTimers } from './web/timers.js';
import { URL, URLSearchParams } from './web/url.js';

/** Adds the globals of Node.js that the engine lacks. They are not enumerable, like those of the engine. */
export function installGlobals(host: Host): void {
  patchBuffer();
  installLocaleStrings();
  const values = {
    ...createTimers(host),
    AbortController,
    AbortSignal,
    Blob,
    Buffer,
    Event,
    EventTarget,
    File,
    FormData,
    Headers,
    Intl: createIntl(),
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    atob,
    btoa,
    console: createConsole(host),
    crypto: createWebCrypto(requireModule),
    fetch,
    global: globalThis,
    process: createProcess(),
    structuredClone: (value: unknown) => structuredClone(value as object),
  };
  for (const name of STREAM_CLASSES) defineLazily(name);
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
    if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
    setToStringTag(name, value);
  }
}

const STREAM_CLASSES = [
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'ReadableByteStreamController',
  'ReadableStream',
  'ReadableStreamBYOBReader',
  'ReadableStreamDefaultController',
  'ReadableStreamDefaultReader',
  'TransformStream',
  'TransformStreamDefaultController',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
];

/** Defines a class of streams, which are loaded with the first use of one. */
function defineLazily(name: string): void {
  const define = (value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  };
  const get = (): unknown => {
    const value = Reflect.get(loadBundle('web-streams', requireModule) as object, name) as unknown;
    define(value);
    return value;
  };
  Object.defineProperty(globalThis, name, { get, set: define, enumerable: false, configurable: true });
}

/** Sets the name in `Object.prototype.toString`, by which packages recognize instances. */
function setToStringTag(name: string, value: unknown): void {
  const prototype = typeof value === 'function' ? (value.prototype as object | undefined) : undefined;
  if (prototype === undefined || name === 'Buffer') return;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
