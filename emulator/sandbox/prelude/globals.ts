import structuredClone from '@ungap/structured-clone';
import { Buffer } from 'buffer';
import { atob, btoa, speedUpBuffer } from './buffer.js';
import { createConsole } from './console.js';
import { webCrypto } from './crypto.js';
import { AbortController, AbortSignal, Event, EventTarget } from './events-web.js';
import { fetch } from './fetch/fetch.js';
import { Headers } from './fetch/headers.js';
import { Request } from './fetch/request.js';
import { Response } from './fetch/response.js';
import type { Host } from './host.js';
import { createIntl } from './intl.js';
import { installLocaleStrings } from './locale-strings.js';
import { createProcess } from './process.js';
import { TextDecoder, TextEncoder } from './text-encoding.js';
import { timerGlobals } from './timers.js';
import { URL, URLSearchParams } from './url.js';

/** Adds what Node.js has and the engine has not; not enumerable, like the engine's own. */
export function installGlobals(host: Host): void {
  speedUpBuffer();
  installLocaleStrings();
  const values = {
    ...timerGlobals(host),
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
    tag(name, value);
  }
}

/** `Object.prototype.toString` names instances, and packages tell them apart by that. */
function tag(name: string, value: unknown): void {
  const prototype = typeof value === 'function' ? (value.prototype as object | undefined) : undefined;
  if (prototype === undefined || name === 'Buffer') return;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
