import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { validationProblem } from '../problems/problem.js';
import { classifyAddress } from '../sandbox/network/address.js';
import {
  classifyDestination,
  type Destination,
  type NetworkPolicy,
  refusalReason,
} from '../sandbox/network/policy.js';

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

const HTTPS_REQUIRED = 'must be an https URL; http is accepted only for loopback addresses';

/**
 * Rejects a callback URL that can never be delivered to (decisions.md, "Reactors"): http to another machine, or a target
 * that the network policy forbids. The policy is checked again on connecting, since a name may then resolve differently.
 *
 * @param name property path of the URL in the request
 * @throws ProblemError 400
 */
export async function checkCallbackUrl(
  text: string,
  policy: NetworkPolicy,
  name = 'callback_url',
): Promise<void> {
  const callbackUrlProblem = (reason: string) => validationProblem({ [name]: [reason] });
  const { isEncrypted, ...destination } = parseDestination(text);
  const { hostname, port } = destination;
  // A name that the policy refuses is not looked up, as on connecting.
  const nameRefusal = refusalReason(policy, destination);
  if (nameRefusal !== undefined) throw callbackUrlProblem(nameRefusal);
  const addresses = await lookUpAddresses(hostname);
  const reasons = addresses.map((address) => refusalReason(policy, { hostname, port, address }));
  if (reasons.every((reason) => reason !== undefined)) throw callbackUrlProblem(reasons[0] ?? '');
  if (!isEncrypted && !addresses.every(isLoopback)) throw callbackUrlProblem(HTTPS_REQUIRED);
}

/**
 * Rejects http to another machine as the destination of a proxy, as for callbacks. Whatever else the network policy refuses
 * fails the requests through the proxy: one may be declared where nobody uses it.
 *
 * @throws ProblemError 400
 */
export async function checkDestinationUrl(text: string, policy: NetworkPolicy): Promise<void> {
  const { isEncrypted, ...destination } = parseDestination(text);
  if (isEncrypted || classifyDestination(destination) === 'loopback') return;
  const isLookedUp = refusalReason(policy, destination) === undefined;
  if (isLookedUp && (await lookUpAddresses(destination.hostname)).every(isLoopback)) return;
  throw validationProblem({ destination_url: [HTTPS_REQUIRED] });
}

function parseDestination(text: string): Destination & { isEncrypted: boolean } {
  const url = new URL(text);
  const hostname = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return {
    hostname,
    port: Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0),
    address: isIP(hostname) ? hostname : undefined,
    isEncrypted: url.protocol === 'https:',
  };
}

const isLoopback = (address: string): boolean => classifyAddress(address) === 'loopback';

/** Resolves a name. One that cannot be resolved is checked as an address that is neither loopback nor forbidden. */
async function lookUpAddresses(hostname: string): Promise<string[]> {
  if (isIP(hostname)) return [hostname];
  try {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [UNKNOWN_ADDRESS];
  }
}

/** An address of the documentation range (RFC 5737). */
const UNKNOWN_ADDRESS = '192.0.2.1';
