import { type AddressKind, classifyAddress } from './address.js';

/**
 * Hosts that reactors and callbacks may connect to (decisions.md, "Reactors"; options `--allow-net`, `--deny-net`).
 *
 * - `none`: no host, not even loopback (`--deny-net`).
 * - `loopback`: this machine only. The default.
 * - `hosts`: loopback and the listed hosts: a name, `*.name` for its subdomains, or an address, each optionally with `:port`.
 * - `open`: every host (`--allow-net` without a value).
 *
 * Link-local and cloud metadata addresses are refused under every policy, including when a name resolves to one.
 */
export type NetworkPolicy = (
  | { mode: 'none' }
  | { mode: 'loopback' }
  | { mode: 'open' }
  | { mode: 'hosts'; hosts: readonly string[] }
) & {
  /** Origins to connect to in place of hosts, which are written as in `hosts` (`--redirect`). The policy is asked about the former. */
  redirects?: Readonly<Record<string, string>>;
};

/** The target of a connection. */
export interface Destination {
  /** Host of the URL in lower case, without brackets. */
  hostname: string;
  port: number;
  /** IP address to connect to; undefined for a name that has not been looked up. */
  address: string | undefined;
}

/** Returns the origin to connect to in place of a host; undefined for the host itself. */
export function findRedirect(
  { redirects = {} }: NetworkPolicy,
  host: Pick<Destination, 'hostname' | 'port'>,
): URL | undefined {
  const found = Object.entries(redirects).find(([pattern]) => matchesHost(pattern, host));
  return found && new URL(found[1]);
}

/** Returns why the policy refuses the connection, worded for reactor authors; undefined if it is allowed. */
export function refusalReason(policy: NetworkPolicy, destination: Destination): string | undefined {
  const kind = classifyDestination(destination);
  const target = `${destination.hostname}:${destination.port}`;
  if (policy.mode === 'none') return `Connection to ${target} refused: the emulator runs with --deny-net.`;
  if (kind === 'forbidden')
    return `Connection to ${target} refused: link-local and metadata addresses are never allowed.`;
  if (kind === 'loopback' || policy.mode === 'open') return undefined;
  if (policy.mode === 'hosts' && policy.hosts.some((host) => matchesHost(host, destination)))
    return undefined;
  return `Connection to ${target} refused. To allow it, use --allow-net ${destination.hostname}.`;
}

/**
 * A name is classified before it is looked up, because a lookup would send it to a name server together with any data that
 * the reactor encoded in it.
 */
export function classifyDestination({ hostname, address }: Destination): AddressKind {
  if (address !== undefined) return classifyAddress(address);
  return hostname === 'localhost' || hostname.endsWith('.localhost') ? 'loopback' : 'other';
}

function matchesHost(pattern: string, { hostname, port }: Pick<Destination, 'hostname' | 'port'>): boolean {
  const { host, port: allowedPort } = parseHost(pattern);
  if (allowedPort !== undefined && allowedPort !== port) return false;
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}

/** Parses `name`, `name:port`, `[v6]`, `[v6]:port`, or a bare IPv6 address. */
function parseHost(pattern: string): { host: string; port?: number } {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  const host = bracketed ?? plain ?? pattern.toLowerCase();
  return port === undefined ? { host } : { host, port: Number(port) };
}
