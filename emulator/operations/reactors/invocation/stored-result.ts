import type { ProblemName } from '../../../../src/contract/problems.js';
import type { ReactorResponse } from '../../../../src/contract/schemas/index.js';
import { ProblemError, type ProblemExtra } from '../../../problems/problem.js';
import type { StoredResponse } from '../../../services/idempotency/record.js';

/** The problem of a failed invocation, as it is stored until the result is read. */
interface StoredProblem extends ProblemExtra {
  problem: ProblemName;
  detail: string;
}

export function storeResponse(body: ReactorResponse): StoredResponse {
  return { status: 200, body };
}

export function storeProblem(error: ProblemError): StoredResponse {
  const { problem, message: detail, status, title, errors, headers, body } = error;
  const stored: StoredProblem = {
    problem,
    detail,
    status,
    title,
    ...(errors && { errors }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  };
  return { status, body: stored };
}

/** Returns a stored result. @throws ProblemError the failure of the invocation */
export function readResult({ body }: StoredResponse): ReactorResponse {
  if (!isStoredProblem(body)) return body as ReactorResponse;
  const { problem, detail, ...extra } = body;
  throw new ProblemError(problem, detail, extra);
}

/** The status does not tell: a `CustomHttpResponseError` may have 200. A result has `raw` and `tokens` only. */
const isStoredProblem = (body: unknown): body is StoredProblem =>
  typeof body === 'object' && body !== null && 'problem' in body;
