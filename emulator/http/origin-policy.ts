import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { AllowedOrigins } from '../services/allowed-origins.js';

/** Where browser requests may come from. */
export interface OriginPolicy {
  /** The address that the emulator listens on. */
  host: string;
  scheme: 'http' | 'https';
  /** The URL of the emulator for clients, if they have another one. */
  publicUrl?: string | undefined;
  /** Origins whose pages may call the service's operations. */
  origins: Pick<AllowedOrigins, 'allows'>;
}

/**
 * `allowed`: a cross-origin page that may call and gets CORS headers. `cross-origin`: any other, to be rejected.
 * `foreign-host`: a request to a name that is not the emulator's, to be rejected.
 */
type OriginClass = 'same-origin' | 'allowed' | 'cross-origin' | 'foreign-host';

const LOOPBACK_NAMES = new Set(['localhost', '[::1]']);

function isLoopback(name: string): boolean {
  return LOOPBACK_NAMES.has(name) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** Returns the name of `name:port` in lower case; undefined when the text is not a valid Host. */
function hostName(host: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(host.toLowerCase());
  return match?.[1];
}

/**
 * Creates a function that classifies a request by its headers. `Origin` reveals a page of another origin. `Host` reveals a
 * page whose own name resolves to this machine (DNS rebinding). An IP address in `Host` cannot be rebound, and is accepted
 * when the emulator listens on more than loopback. Host and origin of the public URL are the emulator's own.
 */
export function createOriginClassifier({
  host,
  scheme,
  publicUrl,
  origins,
}: OriginPolicy): (headers: IncomingHttpHeaders) => OriginClass {
  const listensBeyondLoopback = !isLoopback(host) && host !== '::1';
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set([host.toLowerCase(), hostname().toLowerCase()]);

  const isOwnHost = (name: string): boolean =>
    isLoopback(name) ||
    name === own?.hostname ||
    (listensBeyondLoopback && (names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0));

  // A proxy in front may forward the Host of the client, or send its own.
  const isOwnOrigin = (origin: string, hostHeader: string): boolean =>
    origin === own?.origin || origin === `${scheme}://${hostHeader.toLowerCase()}`;

  return ({ host: hostHeader = '', origin }) => {
    const name = hostName(hostHeader);
    if (name === undefined || !isOwnHost(name)) return 'foreign-host';
    if (origin === undefined || isOwnOrigin(origin.toLowerCase(), hostHeader)) return 'same-origin';
    return origins.allows(origin) ? 'allowed' : 'cross-origin';
  };
}
