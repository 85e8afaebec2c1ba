import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { VisibleError } from '../visible-error.js';
import { type NetworkPolicy, refusalReason } from './policy.js';

const createPolicyError = (reason: string) => new VisibleError(reason, 'Error', 'ERR_NETWORK_POLICY');

/**
 * The check before a connection: of an address, which is connected to without a lookup, or of a name by itself.
 * @throws VisibleError when the policy refuses it.
 */
export function assertHostAllowed(policy: NetworkPolicy, host: string, port: number): void {
  const hostname = host.replace(/^\[|\]$/g, '').toLowerCase();
  const reason = refusalReason(policy, { hostname, port, address: isIP(hostname) ? hostname : undefined });
  if (reason !== undefined) throw createPolicyError(reason);
}

/**
 * A `lookup` for one connection: hands on only addresses that the policy allows. Checking what the socket is about to
 * connect to leaves a name no second answer to give.
 */
export function createGuardedLookup(policy: NetworkPolicy, port: number): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      const reasons = addresses.map(({ address }) => refusalReason(policy, { hostname, port, address }));
      const allowed = addresses.filter((_, index) => reasons[index] === undefined);
      const [first] = allowed;
      if (!first) return callback(createPolicyError(reasons[0] ?? `${hostname} has no address.`), []);
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}
