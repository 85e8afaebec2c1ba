import { maskCardNumbers } from '../../../src/contract/card-numbers.js';
import { differencesOf } from '../../../src/contract/control/differences.js';
import type {
  JournaledRequest,
  RequestDifference,
  RequestExpectation,
  RequestVerification,
} from '../../../src/contract/control/request-journal.js';
import { isObject, mapLeaves } from '../../../src/contract/json.js';
import { maskContent, maskName } from '../../../src/contract/masking.js';
import type { AnsweredRequest } from './request-record.js';

/** Counts the requests that match an expectation, or come in its order; if there is none, finds the one that differs least. */
export function verifyRequests(
  requests: readonly AnsweredRequest[],
  { followed_by, ...expectation }: RequestExpectation,
): RequestVerification {
  if (followed_by) return verifySequence(requests, [expectation, ...followed_by]);
  const { times = { min: 1 } } = expectation;
  const { min = 0, max = Number.POSITIVE_INFINITY } =
    typeof times === 'number' ? { min: times, max: times } : times;
  const { matched, nearest } = matchRequests(requests, expectation);
  for (const request of matched) request.expected = true;
  return {
    ok: matched.length >= min && matched.length <= max,
    matched: matched.length,
    ...(matched.length === 0 && showNearest(nearest)),
  };
}

function verifySequence(requests: readonly AnsweredRequest[], sequence: readonly RequestExpectation[]) {
  let rest = requests;
  for (const [index, expectation] of sequence.entries()) {
    const { matched, nearest } = matchRequests(rest, expectation);
    const [next] = matched;
    if (!next) return { ok: false, matched: index, ...showNearest(nearest) };
    next.expected = true;
    rest = rest.slice(rest.indexOf(next) + 1);
  }
  return { ok: true, matched: sequence.length };
}

/** Finds the requests that match, and the one of the others that differs least. */
function matchRequests(requests: readonly AnsweredRequest[], expectation: RequestExpectation) {
  const { path } = expectation;
  const expected = { ...expectation, ...(path !== undefined && { path: maskCardNumbers(path) }) };
  const matched: AnsweredRequest[] = [];
  let nearest: Compared | undefined;
  for (const request of requests) {
    const one = { request, differences: compare(request, expected) };
    if (one.differences.length === 0) matched.push(request);
    // Only one is kept, since an expectation may differ in thousands of values: the newer one unless it differs more.
    else if (!nearest || distanceOf(one) <= distanceOf(nearest)) nearest = one;
  }
  return { matched, nearest };
}

const showNearest = (nearest: Compared | undefined): Pick<RequestVerification, 'nearest'> =>
  nearest ? { nearest: { request: showRequest(nearest.request), differences: nearest.differences } } : {};

export function unexpectedRequests(requests: readonly AnsweredRequest[]): JournaledRequest[] {
  return requests.filter(({ expected }) => !expected).map(showRequest);
}

/** Returns a request as it is listed: its content masked by the origin of the values. */
export function showRequest({ event, headers, query, body, response }: AnsweredRequest): JournaledRequest {
  const { operation, status } = event;
  const isEmpty = Object.keys((query ?? {}) as object).length === 0;
  return {
    ...event,
    headers,
    ...(!isEmpty && { query: show(query, operation) }),
    ...(body !== undefined && { body: show(JSON.parse(body), operation) }),
    ...(response !== undefined && {
      response: show(firstItems(JSON.parse(response)), status < 400 ? operation : 'problem'),
    }),
  };
}

const show = (value: unknown, operation: string | undefined): unknown =>
  mapLeaves(maskContent(value, operation), (leaf) => leaf, maskName);

const SHOWN_ITEMS = 3;

function firstItems(body: unknown): unknown {
  if (Array.isArray(body)) return body.slice(0, SHOWN_ITEMS);
  const isPage = isObject(body) && 'pagination' in body && Array.isArray(body.data);
  return isPage ? { ...body, data: firstItems(body.data) } : body;
}

type Compared = { request: AnsweredRequest; differences: RequestDifference[] };

/** A request of another operation is always further away than one of the same operation. */
function distanceOf({ differences }: { differences: readonly RequestDifference[] }): number {
  const isOther = differences.some(({ at }) => at === 'operation');
  return isOther ? Number.POSITIVE_INFINITY : differences.length;
}

function compare({ event, query, body }: AnsweredRequest, expected: RequestExpectation): RequestDifference[] {
  const { operation, method, path, status, application } = expected;
  const sent = expected.body === undefined || body === undefined ? undefined : JSON.parse(body);
  const fields: [at: string, wanted: unknown, actual: readonly unknown[]][] = [
    ['operation', operation, [event.operation]],
    ['method', method, [event.method]],
    ['path', path, [event.path]],
    ['status', status, [event.status]],
    ['application', application, [event.application_id, event.application_name]],
  ];
  const differing = fields.filter(([, wanted, actual]) => wanted !== undefined && !actual.includes(wanted));
  return [
    ...differing.map(([at]): RequestDifference => ({ at, reason: 'differs' })),
    ...differencesOf(query, expected.query, 'query'),
    ...differencesOf(sent, expected.body, 'body'),
  ];
}
