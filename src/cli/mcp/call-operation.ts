import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import { removeKnownData } from './known-data.js';
import type { OperationTool } from './operation-tools.js';
import { redactAnswer } from './redact-answer.js';
import type { Arguments } from './tool.js';
import { toolRequest } from './tool-input.js';
import { answerTo } from './without-deduplication.js';

/**
 * Calls an operation for an agent.
 * @returns `{ status, body }` of the response, without token data, keys and configuration values
 * @throws like `Client.call`, without token data of the arguments
 */
export async function callOperation(client: Client, tool: OperationTool, input: Arguments): Promise<unknown> {
  try {
    const { status, body } = await client.request(toolRequest(tool, input));
    const answer = redactAnswer(tool.operation, answerTo(tool.operation, input.body, body));
    return { status, body: removeKnownData(answer, tool.agentWrites ? [input] : [input, body]) };
  } catch (error) {
    throw error instanceof ServiceError ? withoutData(error, input) : error;
  }
}

/** The emulator never names values in a problem; another service may. */
function withoutData({ status, problem, traceId, retryAfter }: ServiceError, input: Arguments): ServiceError {
  return new ServiceError(status, removeKnownData(problem, [input]), traceId, retryAfter);
}
