import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, Faults } from '../control/faults.js';
import { pathOf } from './path.js';
import { ProblemError } from './problem.js';

/** Lets faults strike before anything else happens to a request. */
export function faultHook(faults: Faults) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { operation } = request.routeOptions.config;
    const fault = faults.strike({ operation, method: request.method, path: pathOf(request.url) });
    if (!fault) return;
    if (fault.latency_ms !== undefined) await delay(fault.latency_ms);
    if (fault.reset) {
      reply.hijack();
      request.raw.socket.destroy();
    } else if (fault.status !== undefined) throw injected(fault, fault.status);
  };
}

function injected({ retry_after }: Fault, status: number): ProblemError {
  return new ProblemError('unavailable', 'A fault that was added to the emulator.', {
    status,
    title: STATUS_CODES[status] ?? 'Fault',
    ...(retry_after !== undefined && { headers: { 'Retry-After': String(retry_after) } }),
  });
}
