import type { FastifyReply, FastifyRequest } from 'fastify';

/** A step of the pipeline. It throws a ProblemError to refuse the request, or sends the response itself. */
export type Step = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Runs steps until one throws or responds. Synchronous unless a step is not: each `await` would cost every request. */
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
