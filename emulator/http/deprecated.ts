import type { FastifyRequest } from 'fastify';
import { deprecationOf } from '../../src/contract/deprecations.js';
import type { Context, OperationResult } from '../operations/context.js';
import { ProblemError } from '../problems/problem.js';

type Execute = (request: FastifyRequest) => Promise<OperationResult>;

/** Marks the responses to what is deprecated (RFC 9745, RFC 8594), or refuses it: 410. */
export function flagDeprecated(mode: Context['options']['deprecated'], execute: Execute): Execute {
  if (mode === undefined) return execute;
  return async (request) => {
    const { operation, body } = request;
    const found = operation && deprecationOf(operation, body);
    if (!found) return execute(request);
    const { since, sunset, instead } = found;
    const headers = {
      Deprecation: `@${Date.parse(since) / 1000}`,
      Sunset: new Date(sunset).toUTCString(),
    };
    if (mode === 'refuse') {
      const detail = `The API family has switched this off on ${sunset}; use ${instead}.`;
      throw new ProblemError('switchedOff', detail, { headers });
    }
    const result = await execute(request);
    return { ...result, headers: { ...headers, ...result.headers } };
  };
}
