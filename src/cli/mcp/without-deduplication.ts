import { isObject } from '../../contract/json.js';
import type { OperationId } from '../../contract/operations.js';

const OFF = { deduplicate_token: false };

const isRequest = (payload: Record<string, unknown>): boolean => 'type' in payload && 'data' in payload;

function mapParts(payload: unknown, map: (part: unknown, name: string) => unknown): unknown {
  if (Array.isArray(payload)) return payload.map((part, index) => map(part, String(index)));
  if (!isObject(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).map(([name, part]) => [name, map(part, name)]));
}

/** Turns the primitives of a payload of /tokenize into the create requests that they stand for. */
function toRequests(payload: unknown): unknown {
  if (payload === null) return payload;
  if (typeof payload !== 'object') return { type: 'token', data: payload, ...OFF };
  if (isObject(payload) && isRequest(payload)) return { ...payload, ...OFF };
  return mapParts(payload, toRequests);
}

/** Reduces the tokens that replace primitives to their ids, as /tokenize does. */
function toAnswer(payload: unknown, answer: unknown): unknown {
  if (typeof payload !== 'object') return isObject(answer) ? answer.id : answer;
  if (payload === null || (isObject(payload) && isRequest(payload))) return answer;
  const answers = (answer ?? {}) as Record<string, unknown>;
  return mapParts(payload, (part, name) => toAnswer(part, answers[name]));
}

/**
 * Turns deduplication off in a request body, whatever the tenant's setting. A duplicate would be answered with the existing token,
 * and tell an agent that its guess is right.
 */
export function withoutDeduplication(id: OperationId, body: unknown): unknown {
  if (id === 'tokenize') return toRequests(body);
  return (id === 'tokens.create' || id === 'tokens.update') && isObject(body) ? { ...body, ...OFF } : body;
}

/** Returns the response to a body of `withoutDeduplication` as the response to the body that the agent sent. */
export function answerTo(id: OperationId, sent: unknown, answer: unknown): unknown {
  return id === 'tokenize' ? toAnswer(sent, answer) : answer;
}
