import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { nextTurn, SMALL_BYTES } from '../lib/turns.js';
import { notFoundProblem } from '../problems/to-problem.js';
import type { ErrorHandler } from './error-handler.js';
import type { Pipeline } from './pipeline.js';
import { admitBody, sendResponse } from './reply.js';
import type { LogRequest } from './request-log.js';
import { declareProperties } from './request-properties.js';
import { runSteps } from './step.js';

export function installPipeline(app: FastifyInstance, { everyRequest, readBody }: Pipeline): void {
  declareProperties(app);
  app.addHook('onRequest', (request, reply, done) => runSteps(everyRequest, request, reply, done));
  app.addHook('preParsing', admitBody);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE, '*'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done) => {
      if (bytes.length > SMALL_BYTES) return inTurn(() => readBody(request, bytes));
      done(null, readBody(request, bytes));
      return undefined;
    },
  );
}

/** Parses a large body in a turn of its own. What follows has another one. */
async function inTurn(parse: () => unknown): Promise<unknown> {
  await nextTurn();
  const body = parse();
  await nextTurn();
  return body;
}

interface ServiceOptions {
  pipeline: Pipeline;
  respondWithError: ErrorHandler;
  logRequest: LogRequest;
}

/** Serves every operation of the contract, and rejects all other paths and methods. */
export async function servicePlugin(service: FastifyInstance, options: ServiceOptions): Promise<void> {
  const { pipeline, respondWithError, logRequest } = options;
  service.setErrorHandler(respondWithError);
  service.addHook('onRequest', (request, reply, done) => runSteps(pipeline.beforeBody, request, reply, done));
  // Never reached, since `requireOperation` has thrown; Fastify runs the hooks of a scope only if it has such a handler.
  service.setNotFoundHandler((request) => {
    throw notFoundProblem(request.url);
  });
  for (const id of OPERATION_IDS) {
    const { method, path, body, optionalBody = false } = operationRow(id);
    service.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: id, takesBody: body !== undefined, optionalBody },
      async handler(request: FastifyRequest, reply: FastifyReply) {
        const result = await pipeline.execute(request);
        await coalesceResponses();
        logRequest(request, reply, await sendResponse(reply, result));
        return reply;
      },
    });
  }
}

/**
 * Fast path. Goal H3 (GET /tokens/{id}): 0.53 → 0.57, and a tenth less CPU time. Neither gain nor loss for H2 and H4.
 *
 * Waits until the event loop has processed the input of this turn. Responses that are sent together wake up a client once,
 * not once per response, and waking it up costs more than most requests.
 */
function coalesceResponses(): Promise<void> {
  coalesced ??= new Promise((resolve) => {
    setImmediate(() => {
      coalesced = undefined;
      resolve();
    });
  });
  return coalesced;
}

let coalesced: Promise<void> | undefined;
