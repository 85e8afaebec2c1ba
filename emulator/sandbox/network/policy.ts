import { type AddressKind, classifyAddress } from './address.js';

/**
 * What reactors (and callbacks) may connect to (decisions.md, "Reactors"; options `--allow-net`, `--deny-net`).
 *
 * - `none`: nothing, loopback included (`--deny-net`).
 * - `loopback`: this machine only; the default.
 * - `hosts`: loopback, and the given hosts: a name, `*.name` for all below it, an address, each with `:port` if need be.
 * - `open`: everything but link-local and cloud metadata addresses (`--allow-net` without a value).
 *
 * Link-local and metadata addresses are refused under every policy, whatever name resolves to them.
 */
export type NetworkPolicy =
  | { mode: 'none' }
  | { mode: 'loopback' }
  | { mode: 'open' }
  | { mode: 'hosts'; hosts: readonly string[] };

/** Where a connection would go. */
export interface Destination {
  /** As in the URL, in lower case, without brackets. */
  hostname: string;
  port: number;
  /** What the name resolved to; the name itself when it is an address; undefined before a name is looked up. */
  address: string | undefined;
}

/** @returns why the policy refuses the connection, for the author of a reactor; undefined when it allows it. */
export function refusalReason(policy: NetworkPolicy, destination: Destination): string | undefined {
  const kind = classifyDestination(destination);
  const target = `${destination.hostname}:${destination.port}`;
  if (policy.mode === 'none')
    return `No network: the emulator runs with --deny-net, so ${target} is refused.`;
  if (kind === 'forbidden') return `${target} is a link-local or metadata address, which is always refused.`;
  if (kind === 'loopback' || policy.mode === 'open') return undefined;
  if (policy.mode === 'hosts' && policy.hosts.some((host) => matchesHost(host, destination)))
    return undefined;
  return `Reactors may not connect to ${target}; start the emulator with --allow-net ${destination.hostname} to allow it.`;
}

/** A name that need not be looked up to be refused is not: a lookup would carry it, and what is in it, to a name server. */
function classifyDestination({ hostname, address }: Destination): AddressKind {
  if (address !== undefined) return classifyAddress(address);
  return hostname === 'localhost' || hostname.endsWith('.localhost') ? 'loopback' : 'other';
}

function matchesHost(pattern: string, { hostname, port }: Destination): boolean {
  const { host, port: wantedPort } = parseHost(pattern);
  if (wantedPort !== undefined && wantedPort !== port) return false;
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}

/** `name`, `name:port`, `[v6]`, `[v6]:port`, or a bare IPv6 address. */
function parseHost(pattern: string): { host: string; port?: number } {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  const host = bracketed ?? plain ?? pattern.toLowerCase();
  return port === undefined ? { host } : { host, port: Number(port) };
}
