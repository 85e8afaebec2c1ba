import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** What browsers may come from. */
export interface OriginPolicy {
  /** The address that the emulator listens on. */
  host: string;
  /** `--allow-origin`: origins whose pages may call the service's operations. */
  allowOrigins: readonly string[];
}

/** `foreign`: refused before anything else. `allowed`: a foreign page that may call, and gets CORS headers. */
export type Verdict = 'own' | 'allowed' | 'foreign';

export type OriginGuard = (headers: IncomingHttpHeaders) => Verdict;

const LOOPBACK_NAMES = new Set(['localhost', '[::1]']);

function isLoopback(name: string): boolean {
  return LOOPBACK_NAMES.has(name) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** The name of `name:port` in lower case; undefined when it is none. */
function hostName(host: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(host.toLowerCase());
  return match?.[1];
}

/**
 * Keeps web pages out. A page of another origin shows itself in `Origin`; one that had its own name resolve to this
 * machine (DNS rebinding) shows itself in `Host`. An address in `Host` cannot be rebound, and is accepted when the
 * emulator listens on more than loopback.
 */
export function createOriginGuard({ host, allowOrigins }: OriginPolicy): OriginGuard {
  const listensWide = !isLoopback(host) && host !== '::1';
  const names = new Set([host.toLowerCase(), hostname().toLowerCase()]);
  const allowed = new Set(allowOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));

  const ownHost = (name: string): boolean =>
    isLoopback(name) || (listensWide && (names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0));

  /** The last Host that was ours: nearly every request has the same one. */
  let known: string | undefined;

  return ({ host: hostHeader, origin }) => {
    if (hostHeader !== undefined && hostHeader === known && origin === undefined) return 'own';
    const name = hostHeader === undefined ? undefined : hostName(hostHeader);
    if (name === undefined || !ownHost(name)) return 'foreign';
    known = hostHeader;
    if (origin === undefined || origin.toLowerCase() === `http://${hostHeader?.toLowerCase()}`) return 'own';
    return allowed.has(origin.toLowerCase()) ? 'allowed' : 'foreign';
  };
}
