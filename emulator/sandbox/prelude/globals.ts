import structuredClone from '@ungap/structured-clone';
import { Buffer } from 'buffer';
import type { Host } from './bridge/host.js';
import { atob, btoa, patchBuffer } from './node-modules/buffer.js';
import { webCrypto } from './node-modules/crypto.js';
import { createProcess } from './node-modules/process.js';
import { createConsole } from './web/console.js';
import { AbortController, AbortSignal, Event, EventTarget } from './web/events.js';
import { fetch } from './web/fetch/fetch.js';
import { Headers } from './web/fetch/headers.js';
import { Request } from './web/fetch/request.js';
import { Response } from './web/fetch/response.js';
import { createIntl } from './web/intl.js';
import { installLocaleStrings } from './web/locale-strings.js';
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
    Buffer,
    Event,
    EventTarget,
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
    crypto: webCrypto,
    fetch,
    global: globalThis,
    process: createProcess(),
    structuredClone: (value: unknown) => structuredClone(value as object),
  };
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
    setToStringTag(name, value);
  }
}

/** Sets the name in `Object.prototype.toString`, by which packages recognize instances. */
function setToStringTag(name: string, value: unknown): void {
  const prototype = typeof value === 'function' ? (value.prototype as object | undefined) : undefined;
  if (prototype === undefined || name === 'Buffer') return;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
