import type { Client } from '../../client/client.js';
import { ProtocolError, ServiceError } from '../../client/errors.js';
import type { ClientHooks, Retry } from '../../client/hooks.js';
import { isObject } from '../../contract/json.js';
import { PROBLEMS } from '../../contract/problems.js';
import { errorLines } from '../lib/errors.js';
import type { AdaptiveLimiter } from './adaptive-limiter.js';
import type { ImportRow, Reject } from './row.js';

export interface UploaderOptions {
  /** Creates the client that sends the rows, with the hooks of the uploader. */
  createClient: (hooks: ClientHooks) => Client;
  limiter: AdaptiveLimiter;
  /** Identifies the import in idempotency keys, across its runs. */
  importId: string;
}

/** The request itself is at fault: a smaller part of it may be accepted. */
const SPLITTABLE = new Set([400, 403, 409, 413, 415, 422]);

function reasonOf({ problem }: ServiceError): string {
  return errorLines(problem.errors).join('; ') || problem.detail || problem.title;
}

/** Uploads rows so that each becomes exactly one token, however often it is sent. */
export class Uploader {
  /** The service has accepted at least one row. */
  #accepted = false;
  /** Idempotency keys of requests that a failed attempt may have carried out. */
  readonly #maybeSent = new Set<string>();
  readonly #client: Client;

  constructor(private readonly options: UploaderOptions) {
    const { limiter } = options;
    this.#client = options.createClient({
      onRateLimited: ({ error }) =>
        limiter.onRateLimited(error instanceof ServiceError ? error.retryAfter : undefined),
      beforeRetry: (retry) => {
        this.#recordAttempt(retry);
        return limiter.waitForResume();
      },
    });
  }

  /**
   * Uploads rows in as few requests as possible.
   * @param maybeSent an earlier run may have sent them.
   * @returns the rows that the service rejects.
   * @throws when the service cannot be reached, fails, or refuses the key.
   */
  async upload(rows: readonly ImportRow[], maybeSent: boolean): Promise<Reject[]> {
    const [row] = rows;
    if (!row) return [];
    return rows.length === 1 ? this.#uploadOne(row, maybeSent) : this.#uploadMany(rows, maybeSent);
  }

  /** Uploads all rows in one request: tokenize takes create requests, all or nothing. If it is refused, tries halves. */
  async #uploadMany(rows: readonly ImportRow[], maybeSent: boolean): Promise<Reject[]> {
    const idempotencyKey = this.#idempotencyKey(rows);
    try {
      await this.#send(() => this.#tokenize(rows, idempotencyKey));
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError) || !SPLITTABLE.has(error.status)) throw error;
      const maybeTaken = maybeSent || this.#maybeSent.has(idempotencyKey);
      const half = Math.ceil(rows.length / 2);
      const first = await this.upload(rows.slice(0, half), maybeTaken);
      return [...first, ...(await this.upload(rows.slice(half), maybeTaken))];
    } finally {
      this.#maybeSent.delete(idempotencyKey);
    }
  }

  async #tokenize(rows: readonly ImportRow[], idempotencyKey: string): Promise<void> {
    const body = rows.map(({ record }) => record);
    const tokens = await this.#client.call('tokenize', { body, idempotencyKey });
    if (!Array.isArray(tokens) || tokens.length !== rows.length || !tokens.every(isToken))
      throw new ProtocolError('Tokenize did not return one token per row. Import with --batch 1.');
  }

  async #uploadOne(row: ImportRow, maybeSent: boolean): Promise<Reject[]> {
    const idempotencyKey = this.#idempotencyKey([row]);
    try {
      await this.#send(async () => {
        // The service validates the rows.
        const body = row.record as never;
        await this.#client.call('tokens.create', { body, idempotencyKey });
      });
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError) || !SPLITTABLE.has(error.status)) throw error;
      // A key that must not create any token would be refused for every row.
      if (error.status === 403 && !this.#accepted) throw error;
      // This row took the id itself: the response to an earlier attempt was lost.
      const ownId = row.ownId || maybeSent || this.#maybeSent.has(idempotencyKey);
      if (error.status === 409 && ownId) return [];
      return [{ number: row.number, original: row.original, reason: reasonOf(error) }];
    } finally {
      this.#maybeSent.delete(idempotencyKey);
    }
  }

  #idempotencyKey(rows: readonly ImportRow[]): string {
    const [first, last] = [rows[0]?.number, rows.at(-1)?.number];
    return [this.options.importId, first, ...(rows.length > 1 ? [last] : [])].join('-');
  }

  async #send(request: () => Promise<void>): Promise<void> {
    const { limiter } = this.options;
    await limiter.waitForResume();
    await request();
    this.#accepted = true;
    limiter.onSuccess();
  }

  /** Remembers a request whose failed attempt may have been carried out: all but those that were refused. */
  #recordAttempt({ error, request }: Retry): void {
    const wasRefused =
      error instanceof ServiceError &&
      error.status < 500 &&
      error.problem.title !== PROBLEMS.requestInFlight.title;
    if (!wasRefused && request.idempotencyKey !== undefined) this.#maybeSent.add(request.idempotencyKey);
  }
}

function isToken(value: unknown): boolean {
  return isObject(value) && 'id' in value && 'type' in value;
}
