import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { ConnectionError, ProtocolError, ServiceError } from '../../client/errors.js';
import { isRetryable, RETRIES, retryDelay } from '../../client/retry.js';
import { PROBLEMS } from '../../contract/problems.js';
import { errorLines } from '../lib/errors.js';
import type { AdaptiveLimiter } from './adaptive-limiter.js';
import type { ImportRow, Reject } from './row.js';

export interface UploaderOptions {
  /** Without retries of its own. */
  client: Client;
  pace: AdaptiveLimiter;
  importId: string;
  signal: AbortSignal;
}

/** Refused 429 this many times in a row, an import gives up. */
const MAX_LIMITED = 20;

/** What is wrong with the request itself: a part of it may be well. */
const SPLITTABLE = new Set([400, 403, 409, 413, 415, 422]);

interface Attempts {
  failed: number;
  limited: number;
  /** An earlier try may have been carried out without our learning of it. */
  inDoubt: boolean;
}

function reasonOf({ problem }: ServiceError): string {
  return errorLines(problem.errors).join('; ') || problem.detail || problem.title;
}

/** Sends rows so that each becomes exactly one token, however often it is sent. */
export class Uploader {
  /** The service has taken at least one row. */
  #accepted = false;

  constructor(private readonly options: UploaderOptions) {}

  /**
   * Imports the rows; gives those that the service refuses.
   * @param inDoubt an earlier run may have sent them.
   * @throws when the service cannot be reached, fails, or refuses the key.
   */
  async send(rows: readonly ImportRow[], inDoubt: boolean): Promise<Reject[]> {
    const [row] = rows;
    if (!row) return [];
    return rows.length === 1 ? this.#sendOne(row, inDoubt) : this.#sendMany(rows, inDoubt);
  }

  /** One request for all: tokenize takes create requests, all or nothing. Refused, it is tried in halves. */
  async #sendMany(rows: readonly ImportRow[], inDoubt: boolean): Promise<Reject[]> {
    const attempts = { failed: 0, limited: 0, inDoubt };
    try {
      await this.#attempt(attempts, () => this.#tokenize(rows));
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError) || !SPLITTABLE.has(error.status)) throw error;
      const half = Math.ceil(rows.length / 2);
      const first = await this.send(rows.slice(0, half), attempts.inDoubt);
      return [...first, ...(await this.send(rows.slice(half), attempts.inDoubt))];
    }
  }

  async #tokenize(rows: readonly ImportRow[]): Promise<void> {
    const body = rows.map(({ record }) => record);
    const answer = await this.options.client.call('tokenize', { body, idempotencyKey: this.#key(rows) });
    if (!Array.isArray(answer) || answer.length !== rows.length || !answer.every(isToken))
      throw new ProtocolError('Tokenize did not answer with one token per row; import with --batch 1.');
  }

  async #sendOne(row: ImportRow, inDoubt: boolean): Promise<Reject[]> {
    const attempts = { failed: 0, limited: 0, inDoubt };
    try {
      await this.#attempt(attempts, async () => {
        // What a row holds is for the service to judge.
        const body = row.record as never;
        await this.options.client.call('tokens.create', { body, idempotencyKey: this.#key([row]) });
      });
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError) || !SPLITTABLE.has(error.status)) throw error;
      // A key that may create nothing at all would be refused row by row.
      if (error.status === 403 && !this.#accepted) throw error;
      // Taken by this very row: the answer to an earlier try was lost.
      if (error.status === 409 && (row.ownId || attempts.inDoubt)) return [];
      return [{ number: row.number, original: row.original, reason: reasonOf(error) }];
    }
  }

  #key(rows: readonly ImportRow[]): string {
    return [this.options.importId, rows[0]?.number, ...(rows.length > 1 ? [rows.at(-1)?.number] : [])].join(
      '-',
    );
  }

  async #attempt(attempts: Attempts, request: () => Promise<void>): Promise<void> {
    for (;;) {
      await this.options.pace.paused();
      try {
        await request();
        this.#accepted = true;
        this.options.pace.succeeded();
        return;
      } catch (error) {
        await this.#recover(error, attempts);
      }
    }
  }

  /** Waits when trying again may help. @throws the error when it does not. */
  async #recover(error: unknown, attempts: Attempts): Promise<void> {
    const { pace, signal } = this.options;
    signal.throwIfAborted();
    if (error instanceof ServiceError && error.status === 429) {
      if (++attempts.limited > MAX_LIMITED) throw error;
      pace.onRateLimited(error.retryAfter);
      return;
    }
    const isAnswer = error instanceof ServiceError;
    if (!isAnswer && !(error instanceof ConnectionError)) throw error;
    const outcome = isAnswer ? { status: error.status, title: error.problem.title } : { code: error.code };
    if (!isRetryable(outcome, 'POST', true) || ++attempts.failed > RETRIES) throw error;
    attempts.inDoubt ||=
      !isAnswer || error.status >= 500 || error.problem.title === PROBLEMS.requestInFlight.title;
    await sleep(retryDelay(attempts.failed, undefined, Math.random), undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }
}

function isToken(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
}
