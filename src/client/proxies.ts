import { isLoopback } from './transport.js';

/** The proxies of the environment. */
interface Proxies {
  http?: string | undefined;
  https?: string | undefined;
  /** Hosts that are reached directly, as in `NO_PROXY`: names, optionally with a port, or `*`. A name covers its subdomains. */
  none?: string | undefined;
}

/** Returns the proxy of a base URL; undefined if it is reached directly, like every service on this machine. */
export function proxyOf(baseUrl: string, proxies: Proxies): string | undefined {
  if (isLoopback(baseUrl)) return undefined;
  const url = new URL(baseUrl);
  if (proxies.none?.split(/[,\s]+/).some((entry) => covers(entry, url))) return undefined;
  return url.protocol === 'https:' ? (proxies.https ?? proxies.http) : proxies.http;
}

/** Whether an entry of `NO_PROXY` names the host of a URL. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', entryPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (name === '') return false;
  if (entryPort !== undefined && entryPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}
