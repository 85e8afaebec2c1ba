import type { RequestExpectation, RequestVerification } from '../contract/control/request-journal.js';

/** Differences that a description names. */
const NAMED = 10;

/** Describes the outcome of a verification: how many requests matched, and where the nearest one differs. */
export function describeVerification(
  { operation, method, path, times }: RequestExpectation,
  { matched, nearest }: RequestVerification,
): string {
  const what = operation ?? [method, path].filter((part) => part !== undefined).join(' ');
  const expected = `Expected ${describeTimes(times)}${what && ` of ${what}`}`;
  const outcome = `${expected}, but ${matched === 1 ? '1 matches' : `${matched} match`}.`;
  if (!nearest) return matched === 0 ? `${outcome} There are no requests.` : outcome;
  const { request, differences } = nearest;
  const lines = differences
    .slice(0, NAMED)
    .map(({ at, reason }) => `  ${at} ${reason === 'missing' ? 'is missing' : reason}`);
  const more = differences.length > NAMED ? [`  and ${differences.length - NAMED} more`] : [];
  const name = `${request.method} ${request.path} (${request.status}, trace ${request.trace_id})`;
  return [outcome, `The nearest request is ${name}:`, ...lines, ...more].join('\n');
}

function describeTimes(times: RequestExpectation['times']): string {
  if (times === undefined) return 'at least one request';
  if (typeof times === 'number') return times === 1 ? '1 request' : `${times} requests`;
  const { min = 0, max } = times;
  return max === undefined ? `at least ${min} requests` : `${min} to ${max} requests`;
}
