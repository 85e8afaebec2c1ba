import type { FastifyReply, FastifyRequest } from 'fastify';

/** A step of the pipeline. It throws a ProblemError to refuse the request, or sends the response itself. */
export type Step = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/**
 * Runs steps in order, until one throws or has sent the response; calls `done` after the last one. It is synchronous
 * unless a step is asynchronous: in an async function, every request would wait for several microtasks.
 */
export function runSteps(
  steps: readonly Step[],
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  let position = 0;
  for (const step of steps) {
    position += 1;
    const pending = step(request, reply);
    if (pending) {
      const next = () => reply.sent || runSteps(steps.slice(position), request, reply, done);
      pending.then(next).catch(done);
      return;
    }
    if (reply.sent) return;
  }
  done();
}
