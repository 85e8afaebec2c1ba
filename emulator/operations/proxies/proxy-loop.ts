import { problem } from '../../problems/problem.js';

/** Names what a request has passed, so that a proxy that leads to itself is recognized (RFC 8586). */
const LOOP_HEADER = 'cdn-loop';
const OWN_NAME = 'tokenctl';
/** Proxies that one request may pass, one after another. */
const MAX_PROXIES = 5;

type Headers = readonly (readonly [name: string, value: string])[];

const isLoopHeader = ([name]: Headers[number]): boolean => name.toLowerCase() === LOOP_HEADER;

/**
 * Lists what a request has passed.
 * @throws ProblemError 502 when it has passed too many proxies: each hop of a loop would take a connection more
 */
export function readPassed(headers: Headers): string[] {
  const passed = headers
    .filter(isLoopHeader)
    .flatMap(([, value]) => value.split(',').map((one) => one.trim()));
  if (passed.filter((name) => name === OWN_NAME).length >= MAX_PROXIES)
    throw problem(
      'destinationUnreachable',
      `The request has passed ${MAX_PROXIES} proxies; it leads to itself.`,
    );
  return passed;
}

/** Adds this proxy to what the request has passed, whatever a transform made of the header. */
export function addPassed(headers: Headers, passed: readonly string[]): [string, string][] {
  const others = headers.filter((header) => !isLoopHeader(header));
  return [...others, [LOOP_HEADER, [...passed, OWN_NAME].join(', ')]].map(([name = '', value = '']) => [
    name,
    value,
  ]);
}
