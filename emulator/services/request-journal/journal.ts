import { maskCardNumbers } from '../../../src/contract/card-numbers.js';
import type { RequestEvent } from '../../../src/contract/control/events.js';
import type {
  JournaledRequest,
  RequestDifference,
  RequestExpectation,
  RequestVerification,
} from '../../../src/contract/control/request-journal.js';
import { RecentByTenant } from '../../lib/recent-items.js';
import { differencesOf } from './differences.js';
import { bytesOfMasked, type MaskedValue, maskValue, showMasked } from './masked-value.js';

/** What an entry takes in addition to path, headers, query and body, in bytes. */
const ENTRY_BYTES = 512;

interface Entry {
  event: RequestEvent;
  headers: Readonly<Record<string, string>>;
  query: MaskedValue;
  body: MaskedValue;
  /** A verification has matched it. */
  expected: boolean;
}

/** What a request carried. */
export interface RequestContent {
  /** Those that never hold keys or personal data. */
  headers: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

/** The recent requests of the service, with masked bodies. A tenant has a journal of its own, which no other one fills. */
export class RequestJournal {
  readonly #kept = new RecentByTenant<Entry>();

  add(event: RequestEvent, { headers, query, body }: RequestContent): void {
    const entry = { event, headers, query: maskValue(query), body: maskValue(body), expected: false };
    let bytes = ENTRY_BYTES + event.path.length + bytesOfMasked(entry.query) + bytesOfMasked(entry.body);
    for (const value of Object.values(headers)) bytes += value.length;
    this.#kept.add(entry, event.tenant_id, bytes);
  }

  /** The requests of a tenant, or of all; the newest last. */
  list(tenantId?: string): JournaledRequest[] {
    return this.#kept.list(tenantId).map(show);
  }

  /** Those that no verification has matched. */
  unexpected(tenantId?: string): JournaledRequest[] {
    return this.#kept
      .list(tenantId)
      .filter(({ expected }) => !expected)
      .map(show);
  }

  /** Counts the requests that match an expectation; if there is none, finds the one that differs least. */
  verify(expectation: RequestExpectation, tenantId?: string): RequestVerification {
    const { times = { min: 1 } } = expectation;
    const { min = 0, max = Number.POSITIVE_INFINITY } =
      typeof times === 'number' ? { min: times, max: times } : times;
    const expected = {
      ...expectation,
      ...(expectation.path !== undefined && { path: maskCardNumbers(expectation.path) }),
      query: maskValue(expectation.query),
      body: maskValue(expectation.body),
    };
    let matched = 0;
    let nearest: Compared | undefined;
    for (const entry of this.#kept.list(tenantId)) {
      const one = { entry, differences: compare(entry, expected) };
      if (one.differences.length > 0) nearest = nearer(one, nearest);
      else {
        entry.expected = true;
        matched += 1;
      }
    }
    return {
      ok: matched >= min && matched <= max,
      matched,
      ...(matched === 0 &&
        nearest && { nearest: { request: show(nearest.entry), differences: nearest.differences } }),
    };
  }

  clear(tenantId?: string): void {
    this.#kept.clear(tenantId);
  }
}

interface Compared {
  entry: Entry;
  differences: RequestDifference[];
}

/** Returns the newer one unless it differs more. Only one is kept, since an expectation may differ in thousands of values. */
function nearer(newer: Compared, older: Compared | undefined): Compared {
  return older && distanceOf(older) < distanceOf(newer) ? older : newer;
}

function show({ event, headers, query, body }: Entry): JournaledRequest {
  const isEmpty = Object.keys((query ?? {}) as object).length === 0;
  return {
    ...event,
    headers,
    ...(!isEmpty && { query: showMasked(query) }),
    ...(body !== undefined && { body: showMasked(body) }),
  };
}

/** A request of another operation is always further away than one of the same operation. */
function distanceOf({ differences }: { differences: readonly RequestDifference[] }): number {
  const isOther = differences.some(({ at }) => at === 'operation');
  return isOther ? Number.POSITIVE_INFINITY : differences.length;
}

/** An expectation whose values were masked once, not again for every request that it is compared with. */
type MaskedExpectation = Omit<RequestExpectation, 'query' | 'body'> & {
  query: MaskedValue;
  body: MaskedValue;
};

function compare({ event, query, body }: Entry, expected: MaskedExpectation): RequestDifference[] {
  const { operation, method, path, status, application } = expected;
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
    ...differencesOf(body, expected.body, 'body'),
  ];
}
