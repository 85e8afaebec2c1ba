import {
  type OutboundRequest,
  type OutboundResponse,
  type Stub,
  startStub,
} from '../../../emulator/doubles/stub.js';
import type { ControlClient } from '../../client/control.js';
import type { OutboundCall } from '../../contract/control/outbound.js';
import { type Har, toHar } from './har.js';
import {
  ANY_HOST,
  type AnsweredCall,
  describeFailure,
  describeUnexpected,
  findDifferences,
  type OutboundMatch,
} from './match.js';
import { type Cassette, createReplay } from './replay.js';

/** How a double answers: with a response, what a function returns, or what a cassette has recorded. */
export type Respond = OutboundResponse | Cassette | ((request: OutboundRequest) => Answer | Promise<Answer>);

/** A double that returns undefined leaves a request to those that were added before it. */
type Answer = OutboundResponse | undefined;

export interface DoubleOptions {
  /** Answers this many requests, then none. Default: all. */
  times?: number;
}

/** Requests that no double answers. */
export class UnexpectedCallError extends Error {
  override name = 'UnexpectedCallError';

  constructor(readonly descriptions: readonly string[]) {
    super(
      `${descriptions.length === 1 ? 'An unexpected request was' : 'Unexpected requests were'} sent:\n${descriptions.map((line) => `  ${line}`).join('\n')}`,
    );
  }
}

/**
 * What a tenant sends: requests of reactors and proxies, callbacks and webhook events; and the doubles that answer in place of the
 * hosts that it sends them to.
 */
export interface OutboundControls {
  /**
   * Answers requests in place of a host, which is not connected to any more. Of several doubles that match, the newest answers. A
   * request to the host that none matches is unexpected: it gets the status 501, and the kits fail its test.
   */
  respond(match: OutboundMatch, response: Respond, options?: DoubleOptions): Promise<void>;
  /** With `fail`, requests to every other host but this machine are unexpected too. `pass`: they are sent. Default `pass`. */
  unexpected(mode: 'fail' | 'pass'): Promise<void>;
  /** The requests that doubles answered, the newest last. */
  readonly calls: readonly AnsweredCall[];
  /** The requests that doubles answered, in the format HTTP Archive 1.2. Their data is not masked. */
  har(): Har;
  /** Descriptions of the requests that no double answers. */
  readonly missed: readonly string[];
  /** All recent requests with their status, masked, the newest last. */
  list(): Promise<OutboundCall[]>;
  /** @throws {UnexpectedCallError} that names the nearest double of each unexpected request, and where it differs */
  verify(): void;
  /** Removes all doubles, and forgets the calls. */
  clear(): Promise<void>;
  /** Removes all doubles and stops their server. */
  close(): Promise<void>;
}

interface Double {
  match: OutboundMatch;
  respond: (request: OutboundRequest) => Answer | Promise<Answer>;
  left: number;
}

/** Creates the controls of a tenant, or of all tenants. The server starts with the first double. */
export function createOutbound(control: ControlClient, tenant?: string): OutboundControls {
  let doubles: Double[] = [];
  let calls: AnsweredCall[] = [];
  let unexpected: string[] = [];
  let failsUnexpected = false;
  let stub: Promise<Stub> | undefined;

  async function answer(request: OutboundRequest): Promise<OutboundResponse> {
    const [startedAt, began] = [Date.now(), performance.now()];
    for (const double of doubles) {
      if (double.left <= 0 || findDifferences(double.match, request).length > 0) continue;
      // Before the answer: requests may come at the same time.
      double.left -= 1;
      const response = await double.respond(request);
      if (response === undefined) {
        double.left += 1;
        continue;
      }
      calls.push({ ...request, response, startedAt, durationMs: performance.now() - began });
      return response;
    }
    const matches = doubles.map(({ match }) => match);
    return refuse(describeUnexpected(request, matches));
  }

  function refuse(detail: string): OutboundResponse {
    unexpected.push(detail);
    return { status: 501, body: { title: 'No Double', status: 501, detail } };
  }

  async function redirect(): Promise<void> {
    stub ??= startStub(
      (request) => answer(request).catch((error) => refuse(describeFailure(request, error))),
      { unref: true },
    );
    const { url } = await stub;
    const hosts = new Set(doubles.map(({ match: { host = ANY_HOST } }) => host));
    if (failsUnexpected) hosts.add(ANY_HOST);
    // The first that matches a host is used.
    const sorted = [...hosts].sort((a, b) => Number(a === ANY_HOST) - Number(b === ANY_HOST));
    const redirects = Object.fromEntries(sorted.map((host) => [host, url]));
    await control.call('redirects.set', { tenant, body: { redirects } });
  }

  async function clear(): Promise<void> {
    [doubles, calls, unexpected, failsUnexpected] = [[], [], [], false];
    if (stub) await control.call('redirects.set', { tenant, body: { redirects: {} } });
  }

  return {
    async respond(match, response, { times = Number.POSITIVE_INFINITY } = {}) {
      doubles.unshift({ match, respond: toFunction(response), left: times });
      await redirect();
    },
    async unexpected(mode) {
      failsUnexpected = mode === 'fail';
      await redirect();
    },
    get calls() {
      return calls;
    },
    har: () => toHar(calls),
    get missed() {
      return unexpected;
    },
    list: async () => (await control.call('outbound.list', { tenant })).calls,
    verify() {
      if (unexpected.length > 0) throw new UnexpectedCallError(unexpected);
    },
    clear,
    async close() {
      const running = stub;
      try {
        await clear();
      } finally {
        stub = undefined;
        await (await running)?.close();
      }
    },
  };
}

function toFunction(response: Respond): Double['respond'] {
  if (typeof response === 'function') return response;
  return 'cases' in response ? createReplay(response) : () => response;
}
