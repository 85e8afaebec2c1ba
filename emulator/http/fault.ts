import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../problems/problem.js';
import type { Fault, FaultInjector } from '../services/fault-injector.js';
import { pathOf } from './request-path.js';

/** The fault that strikes a request. */
export function matchFault(
  faults: FaultInjector,
  { operation, method, url }: FastifyRequest,
): Fault | undefined {
  return faults.match({ operation, method, path: pathOf(url) });
}

/**
 * Lets a fault do its work.
 * @returns whether the request goes on
 * @throws ProblemError with the fault's status
 */
export async function applyFault(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  if (fault.latency_ms !== undefined) await delay(fault.latency_ms);
  if (fault.reset) {
    reply.hijack();
    request.raw.socket.destroy();
    return false;
  }
  if (fault.status !== undefined) throw injected(fault, fault.status);
  return true;
}

function injected({ retry_after }: Fault, status: number): ProblemError {
  return new ProblemError('unavailable', 'A fault that was added to the emulator.', {
    status,
    title: STATUS_CODES[status] ?? 'Fault',
    ...(retry_after !== undefined && { headers: { 'Retry-After': String(retry_after) } }),
  });
}
