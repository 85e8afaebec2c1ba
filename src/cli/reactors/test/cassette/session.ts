import { existsSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { unzipSync } from 'node:zlib';
import type { HttpRequest, HttpResponse, InterceptRequest } from '../../../emulator/launch.js';
import { type Mismatch, matchJson } from '../../../lib/json-match.js';
import {
  type CassetteCases,
  cassettePathFor,
  type RecordedCall,
  readCassette,
  writeCassette,
} from './cassette.js';
import { fillBody, hideBody, hideHeader } from './placeholders.js';
import type { ValueForms } from './value-forms.js';

/** The outbound calls of a reactor's tests: recorded, or answered from a recording. */
export interface CassetteSession {
  interceptRequest: InterceptRequest;
  /** Begins a test case. @param forms the placeholders of its values */
  begin(name: string, forms: ValueForms): void;
  /** The calls of the present case that were not recorded. The code may have caught their errors. */
  unmatched(): readonly Mismatch[];
  /** Writes what was recorded. @returns the number of calls; undefined if nothing is recorded */
  close(): Promise<number | undefined>;
}

/** Tells cases of the same name apart: the second `charges` is `charges (2)`. */
function createKeys(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
}

function createRecordSession(path: string): CassetteSession {
  const keyOf = createKeys();
  /** A call that was not answered stays undefined. */
  const cases = new Map<string, (RecordedCall | undefined)[]>();
  let current: { calls: (RecordedCall | undefined)[]; forms: ValueForms } | undefined;
  return {
    async interceptRequest(request, send) {
      if (!current) return send();
      const { calls, forms } = current;
      // Calls are recorded in the order in which they begin, which does not depend on the network.
      const position = calls.push(undefined) - 1;
      const response = await send();
      calls[position] = recordCall(request, response, forms);
      return response;
    },
    begin(name, forms) {
      const calls: (RecordedCall | undefined)[] = [];
      cases.set(keyOf(name), calls);
      current = { calls, forms };
    },
    unmatched: () => [],
    close() {
      const answered = [...cases].map(
        ([name, calls]) => [name, calls.filter((call) => call !== undefined)] as const,
      );
      return writeCassette(path, Object.fromEntries(answered));
    },
  };
}

const NAMED_DIFFERENCES = 3;

type RecordedRequest = RecordedCall['request'];

const describe = ({ method, url }: RecordedRequest): string => `${method} ${url}`;

/** Counts a different method or URL as more than any body: a call of the same kind is the nearest. */
const WEIGHTS: Readonly<Record<string, number>> = { method: 100, url: 100 };

const distance = (found: readonly Mismatch[]): number =>
  found.reduce((sum, { path }) => sum + (WEIGHTS[path] ?? 1), 0);

function describeDifference({ path, expected, actual }: Mismatch): string {
  const name = path.replace(/^body\.(?:json|text|bytes)\b/, 'body');
  return `${name} is ${JSON.stringify(actual) ?? 'missing'}, recorded ${expected}`;
}

/** Describes the recorded call that differs least, and where it differs. */
function describeNearest(request: RecordedRequest, calls: readonly RecordedCall[]): string {
  const [nearest] = calls
    .map((call) => ({ call, found: matchJson(call.request, request, { partial: false }) }))
    .sort((a, b) => distance(a.found) - distance(b.found));
  if (!nearest) return 'no call was recorded for this case';
  const { call, found } = nearest;
  if (found.length === 0) return `${describe(call.request)}, which was made more often than recorded`;
  const named = found.slice(0, NAMED_DIFFERENCES).map(describeDifference);
  const more = found.length > named.length ? [`${found.length - named.length} more`] : [];
  return `${describe(call.request)}, where ${[...named, ...more].join('; ')}`;
}

/** Removes what JSON cannot hold, such as a property that is undefined. */
const normalize = (request: RecordedRequest): unknown => JSON.parse(JSON.stringify(request));

function toResponse(
  { response: { status, headers, body } }: RecordedCall,
  { url }: HttpRequest,
  forms: ValueForms,
): HttpResponse {
  return {
    url,
    redirected: false,
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: headers.map(([name, value]): [string, string] => [name, forms.fill(value)]),
    body: fillBody(body, forms),
  };
}

/** Answers the calls of a test case from their recording. Each recorded call answers once. */
function createReplaySession(cases: CassetteCases): CassetteSession {
  const keyOf = createKeys();
  let current: { calls: readonly RecordedCall[]; forms: ValueForms } | undefined;
  let used = new Set<RecordedCall>();
  let unmatched: Mismatch[] = [];
  return {
    async interceptRequest(request) {
      if (!current) throw new Error('No test case is running.');
      const { calls, forms } = current;
      const wanted = recordRequest(request, forms);
      const found = calls.find(
        (call) => !used.has(call) && isDeepStrictEqual(normalize(call.request), normalize(wanted)),
      );
      if (!found) {
        const expected = `a recorded call (nearest: ${describeNearest(wanted, calls)}); record again with --record`;
        unmatched.push({ path: 'outbound call', expected, actual: describe(wanted) });
        throw new Error(`No recorded call matches ${describe(wanted)}.`);
      }
      used.add(found);
      return toResponse(found, request, forms);
    },
    begin(name, forms) {
      current = { calls: cases[keyOf(name)] ?? [], forms };
      used = new Set();
      unmatched = [];
    },
    unmatched: () => unmatched,
    close: async () => undefined,
  };
}

/** Opens a session that records, or replays the cassette next to the code; without a cassette, there is none. */
export async function openCassette(code: string, record: boolean): Promise<CassetteSession | undefined> {
  const path = cassettePathFor(code);
  if (record) return createRecordSession(path);
  return existsSync(path) ? createReplaySession(await readCassette(path)) : undefined;
}

/** Headers that are not recorded: those of the connection, those that no longer hold for the recorded body, and credentials. */
const LEFT_OUT = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'],
  ...['date', 'etag', 'set-cookie'],
]);

const headerOf = ({ headers }: Pick<HttpRequest | HttpResponse, 'headers'>, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/** Replaces the boundary of a form, which is random. */
function withFixedBoundary(request: HttpRequest): Uint8Array {
  const { body = new Uint8Array() } = request;
  const boundary = /boundary="?([^";]+)/i.exec(headerOf(request, 'content-type'))?.[1];
  if (boundary === undefined) return body;
  return Buffer.from(Buffer.from(body).toString('latin1').replaceAll(boundary, 'boundary'), 'latin1');
}

/** Headers are left out: they hold credentials, and times and ids that change from run to run. */
function recordRequest(request: HttpRequest, forms: ValueForms): RecordedCall['request'] {
  const { method, url } = request;
  const body = hideBody(withFixedBoundary(request), forms);
  return { method, url: forms.hide(url), ...(body && { body }) };
}

/** Returns a body that the code decompresses itself, as clients over `http` do, in the form in which values can be found in it. */
function decompress(request: HttpRequest, response: HttpResponse): Uint8Array {
  const isCompressed =
    request.decompress === false && /gzip|deflate/i.test(headerOf(response, 'content-encoding'));
  return isCompressed ? unzipSync(response.body) : response.body;
}

function recordCall(request: HttpRequest, response: HttpResponse, forms: ValueForms): RecordedCall {
  const { status, headers } = response;
  const body = hideBody(decompress(request, response), forms);
  return {
    request: recordRequest(request, forms),
    response: {
      status,
      headers: headers
        .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
        .map(([name, value]): [string, string] => [name, hideHeader(name, value, forms)]),
      ...(body && { body }),
    },
  };
}
