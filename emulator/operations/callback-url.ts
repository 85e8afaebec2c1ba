import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { validationProblem } from '../problems/problem.js';
import { classifyAddress } from '../sandbox/network/address.js';
import { type NetworkPolicy, refusalReason } from '../sandbox/network/policy.js';

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

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
  const url = new URL(text);
  const hostname = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0);
  const refusalOf = (address: string | undefined) => refusalReason(policy, { hostname, port, address });
  // A name that the policy refuses is not looked up, as on connecting.
  const nameRefusal = refusalOf(isIP(hostname) ? hostname : undefined);
  if (nameRefusal !== undefined) throw callbackUrlProblem(nameRefusal);
  const addresses = await lookUpAddresses(hostname);
  const reasons = addresses.map(refusalOf);
  if (reasons.every((reason) => reason !== undefined)) throw callbackUrlProblem(reasons[0] ?? '');
  if (url.protocol !== 'https:' && !addresses.every((address) => classifyAddress(address) === 'loopback')) {
    throw callbackUrlProblem('must be an https URL; http is accepted only for loopback addresses');
  }
}

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
