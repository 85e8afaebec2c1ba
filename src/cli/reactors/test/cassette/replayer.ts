import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { HttpRequest, HttpResponse } from '../../../emulator/launch.js';
import { type Mismatch, matchJson } from '../../../lib/json-match.js';
import type { RecordedCall } from './cassette.js';
import { fillBody } from './placeholders.js';
import { recordRequest } from './recorder.js';
import type { ValueForms } from './value-forms.js';

/** Differences of a call that are named. */
const NAMED_DIFFERENCES = 3;

type RecordedRequest = RecordedCall['request'];

/** A call that was not recorded, with placeholders. */
export interface UnmatchedCall {
  /** `POST {{configuration.URL}}/charges` */
  call: string;
  /** The recorded call that differs least, and where it differs. */
  nearest: string;
}

const describe = ({ method, url }: RecordedRequest): string => `${method} ${url}`;

/** Counts a different method or URL as more than any body: a call of the same kind is the nearest. */
const WEIGHTS: Readonly<Record<string, number>> = { method: 100, url: 100 };

/** Lists where a request differs from a recorded one. */
function differences(recorded: RecordedRequest, request: RecordedRequest): Mismatch[] {
  return matchJson(recorded, request, { partial: false });
}

const distance = (found: readonly Mismatch[]): number =>
  found.reduce((sum, { path }) => sum + (WEIGHTS[path] ?? 1), 0);

/** `body.amount is 2, recorded 1` */
function describeDifference({ path, expected, actual }: Mismatch): string {
  const name = path.replace(/^body\.(?:json|text|bytes)\b/, 'body');
  return `${name} is ${JSON.stringify(actual) ?? 'missing'}, recorded ${expected}`;
}

function describeNearest(request: RecordedRequest, calls: readonly RecordedCall[]): string {
  const [nearest] = calls
    .map((call) => ({ call, found: differences(call.request, request) }))
    .sort((a, b) => distance(a.found) - distance(b.found));
  if (!nearest) return 'no call was recorded for this case';
  const { call, found } = nearest;
  if (found.length === 0) return `${describe(call.request)}, which was made once more than recorded`;
  const named = found.slice(0, NAMED_DIFFERENCES).map(describeDifference);
  const more = found.length > named.length ? [`${found.length - named.length} more`] : [];
  return `${describe(call.request)}, where ${[...named, ...more].join('; ')}`;
}

/** Answers the calls of a test case from their recording. Each recorded call answers once. */
export class Replayer {
  readonly #calls: readonly RecordedCall[];
  readonly #forms: ValueForms;
  readonly #used = new Set<RecordedCall>();
  readonly unmatched: UnmatchedCall[] = [];

  constructor(calls: readonly RecordedCall[], forms: ValueForms) {
    this.#calls = calls;
    this.#forms = forms;
  }

  /** @throws Error when no recorded call matches, which `unmatched` then has */
  respond(request: HttpRequest): HttpResponse {
    const wanted = recordRequest(request, this.#forms);
    const found = this.#calls.find(
      (call) => !this.#used.has(call) && isDeepStrictEqual(normalize(call.request), normalize(wanted)),
    );
    if (!found) {
      const nearest = describeNearest(wanted, this.#calls);
      this.unmatched.push({ call: describe(wanted), nearest });
      throw new Error(`No recorded call matches ${describe(wanted)}.`);
    }
    this.#used.add(found);
    return this.#toResponse(found, request);
  }

  #toResponse({ response: { status, headers, body } }: RecordedCall, { url }: HttpRequest): HttpResponse {
    return {
      url,
      redirected: false,
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: headers.map(([name, value]): [string, string] => [name, this.#forms.fill(value)]),
      body: fillBody(body, this.#forms),
    };
  }
}

/** Removes what JSON cannot hold, such as a property that is undefined. */
const normalize = (request: RecordedRequest): unknown => JSON.parse(JSON.stringify(request));
