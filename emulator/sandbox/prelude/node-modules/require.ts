import assert from 'node:assert';
import events from 'node:events';
import path from 'node:path';
import stream, { type ReadableOptions } from 'node:stream';
import stringDecoder from 'node:string_decoder';
import axios from 'axios';
import fetch from 'node-fetch';
import * as uuid from 'uuid';
import {
  type REACTOR_BUILTINS,
  REACTOR_MODULES,
  type REACTOR_PACKAGES,
  resolveModule,
} from '../../../../src/contract/reactor-runtime.js';
import { reactorErrors } from '../../runtime/reactor-api.js';
import { host, names } from '../bridge/host.js';
import { defineGlobals } from '../globals.js';
import { promises, timers } from '../web/timers.js';
import { bufferModule } from './buffer.js';
import crypto, { random } from './crypto/index.js';
import http from './http.js';
import https from './https.js';
import querystring from './querystring.js';
import url from './url.js';
import * as util from './util.js';
import zlib from './zlib.js';

/** The part of `crypto` that the host loads on demand. */
const loadSubtle = () => loadOnce('#subtle') as typeof import('./crypto/subtle.js');

const webcrypto = {
  ...random,
  get subtle() {
    return loadSubtle().subtle;
  },
};
defineGlobals({ crypto: webcrypto });

/** Reads a stream of the web, such as the body of a response. The package leaves this to Node.js. */
stream.Readable.fromWeb = (web: AsyncIterable<unknown>, options?: ReadableOptions) =>
  stream.Readable.from(web, { objectMode: false, ...options });

const MODULES: Record<(typeof REACTOR_BUILTINS)[number] | (typeof REACTOR_PACKAGES)[number], unknown> = {
  assert,
  axios,
  buffer: bufferModule,
  crypto: {
    ...crypto,
    webcrypto,
    get subtle() {
      return loadSubtle().subtle;
    },
    get CryptoKey() {
      return loadSubtle().CryptoKey;
    },
  },
  events,
  http,
  https,
  'node-fetch': fetch,
  // Paths of POSIX, as on the machines of the service.
  path: Object.assign(path, { posix: path, toNamespacedPath: (value: string) => value }),
  querystring,
  stream,
  string_decoder: stringDecoder,
  'svc-reactor-errors': reactorErrors,
  timers: { ...timers, promises },
  url,
  util: { ...util },
  uuid: { ...uuid },
  zlib,
};

/** Bundled packages that were required. */
const cache = new Map<string, unknown>();

/** `require` of reactor code. */
export function requireModule(request: string): unknown {
  const name = resolveModule(String(request), names.modules);
  return name === undefined ? requirePackage(String(request)) : MODULES[name as keyof typeof MODULES];
}

/** What the code requires: all names in it, those of bundled packages, and why the others are not bundled. */
type Packages = { names: string[]; bundled: string[]; problems: Record<string, string> };

/** undefined if the emulator has no directory of packages. */
let packages: Packages | undefined;

export function setPackages(json: string): void {
  packages = JSON.parse(json) as Packages;
}

function requirePackage(name: string): unknown {
  if (!packages?.bundled.includes(name)) throw createNotFoundError(name);
  return loadOnce(name);
}

function loadOnce(name: string): unknown {
  if (!cache.has(name)) cache.set(name, loadPackage(name));
  return cache.get(name);
}

function loadPackage(name: string): unknown {
  const module: { exports: unknown } = { exports: {} };
  try {
    host.loadPackage(name)(module, module.exports, requireModule);
  } catch (error) {
    // The engine words its errors without names, and its positions are in a bundle.
    throw new Error(`The package '${name}' cannot be loaded in this runtime: ${error}`, { cause: error });
  }
  return module.exports;
}

function createNotFoundError(name: string): Error {
  const reason = findReason(name) ?? `. A reactor can require: ${REACTOR_MODULES.join(', ')}.`;
  return Object.assign(new Error(`Cannot find module '${name}'${reason}`), { code: 'MODULE_NOT_FOUND' });
}

function findReason(name: string): string | undefined {
  if (!packages) return undefined;
  if (!packages.names.includes(name))
    return ': the code computes its name. Only packages that the code names in quotes are there.';
  return Object.hasOwn(packages.problems, name) ? `: ${packages.problems[name]}` : undefined;
}
