import { proxyOf } from '../../../client/proxies.js';
import type { Transport, TransportResponse } from '../../../client/transport.js';
import { headerNames } from '../../../contract/headers.js';
import type { Context } from '../../command.js';
import type { Target } from '../../config/target.js';
import { openTransport } from '../../connect.js';

/** Time for each request. Milliseconds. */
const TIMEOUT_MS = 5_000;

/** The response to a request, or why there is none. */
export type Probed =
  | { response: TransportResponse; sentAt: number; receivedAt: number; error?: never }
  | { error: ProbeError; response?: never };

export interface ProbeError {
  /** Node's code, such as `ECONNREFUSED`; `timeout` if the time was up; `HTTP 403` if the proxy refused to connect. */
  code: string;
}

/** Sends single requests to the target: without retries, each within a time limit. */
export class Probe {
  readonly #transport: Transport;
  readonly #signal: AbortSignal;
  readonly target: Target;
  readonly timeoutMs: number;
  /** The URL of the proxy in between. */
  readonly proxy: string | undefined;
  /** What the headers of the service start with. */
  readonly headers: ReturnType<typeof headerNames>;

  private constructor(transport: Transport, target: Target, { settings, signal }: Context) {
    this.#transport = transport;
    this.#signal = signal;
    this.target = target;
    this.timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
    this.proxy = proxyOf(target.baseUrl, settings.proxies);
    this.headers = headerNames(settings.headerPrefix ?? target.headerPrefix);
  }

  /** @throws {CliError} if keys would be sent in plain text over a network */
  static async open(target: Target, context: Context): Promise<Probe> {
    return new Probe(await openTransport(target.baseUrl, context.settings, target), target, context);
  }

  /** Sends a GET request. @param key none is sent if it is left out. @throws the reason of an interruption */
  async get(path: string, key?: string): Promise<Probed> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const sentAt = Date.now();
    const headers = { accept: 'application/json', ...(key !== undefined && { [this.headers.apiKey]: key }) };
    const signal = AbortSignal.any([this.#signal, timeout]);
    try {
      const response = await this.#transport.send({ method: 'GET', path, headers, signal });
      return { response, sentAt, receivedAt: Date.now() };
    } catch (error) {
      this.#signal.throwIfAborted();
      if (timeout.aborted) return { error: { code: 'timeout' } };
      return { error: toProbeError(error) };
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

function toProbeError(error: unknown): ProbeError {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException & { cause?: unknown };
  const causeCode = (cause as NodeJS.ErrnoException | undefined)?.code;
  return { code: code ?? causeCode ?? 'unknown' };
}
