import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '../problems/problem.js';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Creates the check of the bearer token of the control endpoints; the check throws ProblemError 401. */
export function createTokenCheck(token: string): (headers: IncomingHttpHeaders) => void {
  const expected = digest(token);
  return ({ authorization }) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    throw problem(
      'unauthenticated',
      'The header Authorization must be "Bearer" and the control_token of the state file.',
    );
  };
}
