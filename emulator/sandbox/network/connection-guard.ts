import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { VisibleError } from '../outcome.js';
import { classifyAddress } from './address.js';
import { type Destination, type NetworkPolicy, refusalReason } from './policy.js';

/** Rules of one connection. */
interface ConnectionRules {
  policy: NetworkPolicy;
  /** Refuse every address but loopback, even if the policy allows it: the connection is not encrypted. */
  loopbackOnly?: boolean;
}

const createPolicyError = (reason: string) => new VisibleError(reason, 'Error', 'ERR_NETWORK_POLICY');

/**
 * Checks a host before connecting. An IP address is checked here in full, because Node.js connects to it without a lookup;
 * the addresses behind a name are checked by `createGuardedLookup`.
 * @throws VisibleError if the policy refuses the host
 */
export function assertHostAllowed(rules: ConnectionRules, host: string, port: number): void {
  const hostname = host.replace(/^\[|\]$/g, '').toLowerCase();
  const reason = findRefusal(rules, { hostname, port, address: isIP(hostname) ? hostname : undefined });
  if (reason !== undefined) throw createPolicyError(reason);
}

/**
 * Creates the `lookup` option of one connection. It returns only addresses that the rules allow. Because the socket connects
 * to exactly these addresses, a second DNS answer cannot bypass the check (DNS rebinding).
 */
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

function findRefusal(
  { policy, loopbackOnly }: ConnectionRules,
  destination: Destination,
): string | undefined {
  const { hostname, port, address } = destination;
  if (loopbackOnly && address !== undefined && classifyAddress(address) !== 'loopback')
    return `Connection to ${hostname}:${port} refused: http is accepted only for loopback addresses.`;
  return refusalReason(policy, destination);
}
