import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, CallerRegistry } from '../access/caller-registry.js';
import { problem } from '../problems/problem.js';

/** Tells who calls by the key in a request. @throws ProblemError 401 from the function it returns */
export function createAuthenticator(
  header: string,
  directory: CallerRegistry,
): (headers: IncomingHttpHeaders) => Caller {
  const name = header.toLowerCase();
  return (headers) => {
    const key = headers[name];
    if (typeof key !== 'string' || key === '') {
      throw problem('unauthenticated', `The header ${header} must hold an API key.`);
    }
    const caller = directory.byKey(key);
    if (!caller) throw problem('unauthenticated', `The key in ${header} is not a key of any application.`);
    return caller;
  };
}
