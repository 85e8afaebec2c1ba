import type { OutboundRequest, OutboundResponse } from '../../../emulator/doubles/stub.js';
import { describeDifferences, differencesOf } from '../../contract/control/differences.js';
import type { RequestDifference } from '../../contract/control/request-journal.js';
import { maskUrl } from '../../contract/masking.js';

export interface AnsweredCall extends OutboundRequest {
  response: OutboundResponse;
  /** Milliseconds since 1970. */
  startedAt: number;
  durationMs: number;
}

/** Which requests a double answers. What is left out matches every request. */
export interface OutboundMatch {
  /** `api.example.com`, `*.example.com`, `127.0.0.1:4300`. Default: every host but this machine. */
  host?: string;
  method?: string;
  path?: string | RegExp;
  /** Parameters of the query, among others. */
  query?: Record<string, string>;
  /** What the body holds: of an object these properties among others, of an array all items. */
  body?: unknown;
}

/** The redirect that a double without a host needs. */
export const ANY_HOST = '*';

/** Lists where a request differs from what a double answers; empty for a request that it answers. */
export function findDifferences(match: OutboundMatch, request: OutboundRequest): RequestDifference[] {
  const { host = ANY_HOST, method, path, query, body } = match;
  const fields: [at: string, matches: boolean][] = [
    ['host', matchesHost(host, request.host)],
    ['method', method === undefined || method.toUpperCase() === request.method],
    ['path', path === undefined || matchesPath(path, request.path)],
  ];
  return [
    ...fields.flatMap(([at, matches]): RequestDifference[] => (matches ? [] : [{ at, reason: 'differs' }])),
    ...differencesOf(request.query, query, 'query'),
    ...differencesOf(request.body, body, 'body'),
  ];
}

/** `search` starts at the beginning, whatever the flags of the pattern. */
const matchesPath = (path: string | RegExp, actual: string): boolean =>
  typeof path === 'string' ? path === actual : actual.search(path) >= 0;

/** A pattern without a port matches every port, and a host without a port those of http and https. */
function matchesHost(pattern: string, actual: string): boolean {
  if (pattern === ANY_HOST) return true;
  const [name, port] = splitPort(pattern.toLowerCase());
  const [actualName, actualPort] = splitPort(actual.toLowerCase());
  const samePort =
    port === undefined || (actualPort === undefined ? /^(?:80|443)$/ : RegExp(`^${actualPort}$`)).test(port);
  return samePort && (name.startsWith('*.') ? actualName.endsWith(name.slice(1)) : actualName === name);
}

function splitPort(host: string): [name: string, port: string | undefined] {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return [name, port];
}

/** How much a difference weighs: a request to the same place is nearer than any other. */
const WEIGHTS: Readonly<Record<string, number>> = { host: 1_000, path: 100, method: 10 };
const NAMED = 5;

const distanceOf = (differences: readonly RequestDifference[]): number =>
  differences.reduce((sum, { at }) => sum + (WEIGHTS[at] ?? 1), 0);

const describeRequest = ({ method, host, path }: OutboundRequest): string =>
  `${method} ${maskUrl(`https://${host}${path}`)}`;

export const describeFailure = (request: OutboundRequest, error: unknown): string =>
  `${describeRequest(request)}: its double failed: ${error instanceof Error ? error.message : String(error)}`;

/** Describes a request that no double answers, and the double that it differs least from. No value is repeated. */
export function describeUnexpected(request: OutboundRequest, matches: readonly OutboundMatch[]): string {
  const call = describeRequest(request);
  const [nearest] = matches
    .map((match) => ({ match, differences: findDifferences(match, request) }))
    .sort((a, b) => distanceOf(a.differences) - distanceOf(b.differences));
  if (!nearest) return `${call}: there is no double.`;
  const { match, differences } = nearest;
  if (differences.length === 0)
    return `${call}: ${describeMatch(match)} has answered as often as it may, or did not record this.`;
  const where = describeDifferences(differences, NAMED).join(', ');
  return `${call}: the nearest double is ${describeMatch(match)}, where ${where}.`;
}

const describeMatch = ({ method = 'any method', host = 'any host', path = '' }: OutboundMatch): string =>
  `${method} ${host}${path}`;
