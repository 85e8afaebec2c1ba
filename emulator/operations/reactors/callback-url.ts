import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { validationProblem } from '../../problems/problem.js';
import { classifyAddress } from '../../sandbox/network/address.js';
import { type NetworkPolicy, refusalReason } from '../../sandbox/network/policy.js';

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/**
 * Refuses at once a URL to which no callback could ever go (decisions.md, "Reactors"): http beyond this machine, and
 * what the network policy forbids. The connection checks the policy again, since a name may come to mean another address.
 *
 * @throws ProblemError 400
 */
export async function checkCallbackUrl(text: string, policy: NetworkPolicy): Promise<void> {
  const url = new URL(text);
  const hostname = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0);
  const refusalOf = (address: string | undefined) => refusalReason(policy, { hostname, port, address });
  // As the connection does: a name that is refused by itself is not looked up.
  const ofTheName = refusalOf(isIP(hostname) ? hostname : undefined);
  if (ofTheName !== undefined) throw callbackUrlProblem(ofTheName);
  const addresses = await lookUpAddresses(hostname);
  const reasons = addresses.map(refusalOf);
  if (reasons.every((reason) => reason !== undefined)) throw callbackUrlProblem(reasons[0] ?? '');
  if (url.protocol !== 'https:' && !addresses.every((address) => classifyAddress(address) === 'loopback')) {
    throw callbackUrlProblem('must be an https URL; http is accepted to loopback only');
  }
}

/** A name that cannot be resolved is judged by itself: it is no loopback, and may be one that is allowed. */
async function lookUpAddresses(hostname: string): Promise<string[]> {
  if (isIP(hostname)) return [hostname];
  try {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [UNKNOWN_ADDRESS];
  }
}

/** An address of the documentation range (RFC 5737): neither loopback nor forbidden. */
const UNKNOWN_ADDRESS = '192.0.2.1';

function callbackUrlProblem(reason: string) {
  return validationProblem({ callback_url: [reason] });
}
