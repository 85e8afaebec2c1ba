import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFoundProblem } from './not-found.js';
import { type Registration, registerOperations } from './routes.js';

interface ServiceOptions extends Registration {
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** The service itself: its operations, and what is none of them (404, 405). */
export function servicePlugin({ fail, ...registration }: ServiceOptions) {
  const { gate, observe } = registration;
  return async (service: FastifyInstance): Promise<void> => {
    service.setErrorHandler(async (error, request, reply) => {
      await fail(error, request, reply);
      observe(request, reply);
      return reply;
    });
    // A hook, not the handler: path and method come before the framework looks at the body's type, size and JSON.
    service.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      gate(request, reply, (error) => done(error ?? notFoundProblem(request.url)));
    });
    // So that the hook runs for unknown paths too.
    service.setNotFoundHandler((request) => {
      throw notFoundProblem(request.url);
    });
    registerOperations(service, registration);
  };
}
