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

interface Double {
  match: OutboundMatch;
  respond: (request: OutboundRequest) => Answer | Promise<Answer>;
  left: number;
}

/**
 * Creates the controls of what a tenant, or all tenants, send: requests of reactors and proxies, callbacks and webhook events; and of
 * the doubles that answer in place of the hosts that they send them to. The server starts with the first double.
 */
export function createOutbound(control: ControlClient, tenant?: string) {
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
    /**
     * Answers requests in place of a host, which is not connected to any more. Of several doubles that match, the newest answers. A
     * request to the host that none matches is unexpected: it gets the status 501, and the kits fail its test.
     */
    async respond(
      match: OutboundMatch,
      response: Respond,
      { times = Number.POSITIVE_INFINITY }: DoubleOptions = {},
    ): Promise<void> {
      doubles.unshift({ match, respond: toFunction(response), left: times });
      await redirect();
    },
    /** With `fail`, requests to every other host but this machine are unexpected too. `pass`: they are sent. Default `pass`. */
    async unexpected(mode: 'fail' | 'pass'): Promise<void> {
      failsUnexpected = mode === 'fail';
      await redirect();
    },
    /** The requests that doubles answered, the newest last. */
    get calls(): readonly AnsweredCall[] {
      return calls;
    },
    /** The requests that doubles answered, in the format HTTP Archive 1.2. Their data is not masked. */
    har: (): Har => toHar(calls),
    /** Descriptions of the requests that no double answers. */
    get missed(): readonly string[] {
      return unexpected;
    },
    /** All recent requests with their status, masked, the newest last. */
    list: async (): Promise<OutboundCall[]> => (await control.call('outbound.list', { tenant })).calls,
    /** @throws {UnexpectedCallError} that names the nearest double of each unexpected request, and where it differs */
    verify(): void {
      if (unexpected.length > 0) throw new UnexpectedCallError(unexpected);
    },
    /** Removes all doubles, and forgets the calls. */
    clear,
    /** Removes all doubles and stops their server. */
    async close(): Promise<void> {
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

export type OutboundControls = ReturnType<typeof createOutbound>;

function toFunction(response: Respond): Double['respond'] {
  if (typeof response === 'function') return response;
  return 'cases' in response ? createReplay(response) : () => response;
}
