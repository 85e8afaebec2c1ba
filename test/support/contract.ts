import { expect } from 'vitest';
import { type HeaderNames, headerNames } from '../../src/contract/headers.js';
import { type Method, problemsOf } from '../../src/contract/operation-row.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../src/contract/operations.js';
import { PROBLEMS } from '../../src/contract/problems.js';
import { operationSchemas } from '../../src/contract/schemas/index.js';

const ROUTES = OPERATION_IDS.map((id) => {
  const { method, path } = operationRow(id);
  const pattern = path.replace(/\{\w+\}/g, '[^/]+');
  return { id, method, pattern: new RegExp(`^${pattern}$`), parameters: path.includes('{') };
}).sort((a, b) => Number(a.parameters) - Number(b.parameters));

/** Returns the operation of a request; undefined if the service does not have the path or method. */
export function operationOf(method: Method, path: string): OperationId | undefined {
  const [bare = ''] = path.split('?');
  const withoutSlash = bare.replace(/(.)\/$/, '$1');
  return ROUTES.find((route) => route.method === method && route.pattern.test(withoutSlash))?.id;
}

/** Returns the statuses that the contract lists for an operation, success first. */
export function statusesOf(id: OperationId): number[] {
  const row = operationRow(id);
  return [...row.success, ...problemsOf(row).map((name) => PROBLEMS[name].status)];
}

/** Asserts that the contract lists the status, body and content type of a response for the operation. */
export function expectContract(
  method: Method,
  path: string,
  answer: { status: number; headers: Headers; body: unknown },
  names: HeaderNames = headerNames(),
): void {
  const id = operationOf(method, path);
  if (answer.status >= 400) expectProblem(answer, names);
  if (id === undefined) return;
  const { status, body } = answer;
  if (status >= 400 && operationRow(id).codeErrors) return;
  expect(statusesOf(id), `${method} ${path} answered ${status}: ${JSON.stringify(body)}`).toContain(status);
  const schema = operationSchemas(id).responses[status];
  if (schema === undefined) return;
  const parsed = schema.safeParse(body);
  expect(parsed.error?.issues ?? [], `${method} ${path}: the body of ${status}`).toEqual([]);
}

function expectProblem(
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
  names: HeaderNames,
): void {
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body).toEqual({
    type: expect.stringMatching(/^urn:/),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: headers.get(names.traceId),
    ...((body as object | undefined) && 'errors' in (body as object) && { errors: expect.any(Object) }),
  });
}
