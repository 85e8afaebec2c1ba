import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SCHEME_RULE } from '../../src/contract/schemas/common.js';
import { validationProblem } from '../problems/problem.js';
import { classifyAddress } from '../sandbox/network/address.js';
import { classifyDestination, type NetworkPolicy, refusalReason } from '../sandbox/network/policy.js';

/**
 * Rejects http to another machine as the URL of a callback, webhook or proxy (decisions.md, "Addresses"). The network policy
 * decides when something is sent to the URL: it may be stored where nothing is.
 *
 * @param name property path of the URL in the request
 * @throws ProblemError 400
 */
export async function assertSecureUrl(name: string, text: string, policy: NetworkPolicy): Promise<void> {
  const url = new URL(text);
  if (url.protocol === 'https:') return;
  const hostname = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const address = isIP(hostname) ? hostname : undefined;
  const destination = { hostname, port: Number(url.port) || 80, address };
  if (classifyDestination(destination) === 'loopback') return;
  // A name that the policy refuses is not looked up, as on connecting.
  const isLookedUp = address === undefined && refusalReason(policy, destination) === undefined;
  if (isLookedUp && (await resolvesToLoopback(hostname))) return;
  throw validationProblem({ [name]: [SCHEME_RULE] });
}

async function resolvesToLoopback(hostname: string): Promise<boolean> {
  try {
    const found = await lookup(hostname, { all: true });
    return found.every(({ address }) => classifyAddress(address) === 'loopback');
  } catch {
    return false;
  }
}
