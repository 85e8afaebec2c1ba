import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { VisibleError } from '../outcome.js';
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
  /** Origins to connect to in place of hosts, or of `*`, all but loopback. The policy is asked about the former. */
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
  const isAway = () => classifyHost(host) !== 'loopback';
  const found = Object.entries(redirects).find(([pattern]) =>
    pattern === '*' ? isAway() : matchesHost(pattern, host),
  );
  return found && new URL(found[1]);
}

function classifyHost(host: Pick<Destination, 'hostname' | 'port'>): AddressKind {
  return classifyDestination({ ...host, address: isIP(host.hostname) ? host.hostname : undefined });
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

/** A name is classified before the lookup, which would send it, and data encoded in it, to a name server. */
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

interface ConnectionRules {
  policy: NetworkPolicy;
  /** Refuse every address but loopback, even if the policy allows it: the connection is not encrypted. */
  loopbackOnly?: boolean;
}

const createPolicyError = (reason: string) => new VisibleError(reason, 'Error', 'ERR_NETWORK_POLICY');

/**
 * Checks a host before connecting. An IP address is checked here in full, because Node.js connects to it without a lookup;
 * `createGuardedLookup` checks the addresses behind a name.
 */
export function assertHostAllowed(rules: ConnectionRules, host: string, port: number): void {
  const hostname = host.replace(/^\[|\]$/g, '').toLowerCase();
  const reason = findRefusal(rules, { hostname, port, address: isIP(hostname) ? hostname : undefined });
  if (reason !== undefined) throw createPolicyError(reason);
}

/** Creates the `lookup` of one connection. No second DNS answer gets past the check (DNS rebinding). */
export function createGuardedLookup(rules: ConnectionRules, port: number): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      const reasons = addresses.map(({ address }) => findRefusal(rules, { hostname, port, address }));
      const allowed = addresses.filter((_, index) => reasons[index] === undefined);
      const [first] = allowed;
      if (!first) return callback(createPolicyError(reasons[0] ?? `${hostname} has no address.`), []);
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

function findRefusal({ policy, loopbackOnly }: ConnectionRules, destination: Destination) {
  const { hostname, port, address } = destination;
  if (loopbackOnly && address !== undefined && classifyAddress(address) !== 'loopback')
    return `Connection to ${hostname}:${port} refused: http is accepted only for loopback addresses.`;
  return refusalReason(policy, destination);
}
