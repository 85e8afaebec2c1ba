import { randomUUID } from 'node:crypto';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { collectionOf } from '../collections.js';
import type { RecordCipher } from '../encryption.js';
import type { RecordChange } from '../record-change.js';
import type { RateWindow, SharedStore } from '../store.js';
import { query, sendTogether, withConnection } from './connection.js';
import { encodeText } from './terms.js';

/** Milliseconds that a request may seem to come before its window, by another clock; beyond it, the clock was set back. */
const SKEW_MS = 5_000;

/** Whether a change changes what processes keep in memory. */
export function changesDocuments(change: RecordChange): boolean {
  return change.op === 'clear' || collectionOf(change.collection).kind === 'document';
}

/**
 * Counts a change of what processes keep in memory, in a transaction. The count is the sum of the rows. A change replaces all rows
 * but those that others are replacing: it waits for none of them, and the sum has each change that is committed.
 */
export const COUNT_CHANGE = `
  WITH replaced AS (
    DELETE FROM tokenctl.document_changes WHERE id IN (SELECT id FROM tokenctl.document_changes FOR UPDATE SKIP LOCKED)
    RETURNING total
  )
  INSERT INTO tokenctl.document_changes (total) SELECT coalesce(sum(total), 0) + 1 FROM replaced`;

const READ_CHANGES = 'SELECT coalesce(sum(total), 0) AS changes FROM tokenctl.document_changes';

const KEPT_MS = 60_000;
/** Milliseconds by which a message may become visible later than the time it bears, which is that of its transaction. */
const LATE_MS = 10_000;

type SharedStoreOptions = { pool: Pool; commitPool: Pool; cipher: RecordCipher };

/** What processes decide together and tell each other, in tables of their database. */
export class PostgresSharedStore implements SharedStore {
  /** The owner of the claims and messages of this process. */
  readonly #owner = randomUUID();
  #polling: Promise<number> | undefined;
  #nextPoll: Promise<number> | undefined;
  /** The time of the last message that was read, in milliseconds since 1970 by the server's clock. */
  #lastMessage: number | undefined;
  /** Ids of the messages that were read and may be found again, with their times. */
  readonly #seen = new Map<string, number>();

  constructor(private readonly options: SharedStoreOptions) {}

  /** Calls during a poll share the next one: the answer of this one may be older than they are. */
  revision(): Promise<number> {
    this.#nextPoll ??= (this.#polling ?? Promise.resolve(0))
      .catch(() => {})
      .then(() => {
        this.#nextPoll = undefined;
        this.#polling = this.#query<{ changes: string }>({ name: 'poll', text: READ_CHANGES }).then(
          ({ rows }) => Number(rows[0]?.changes),
        );
        return this.#polling;
      });
    return this.#nextPoll;
  }

  async readState(name: string): Promise<unknown> {
    const { rows } = await this.#query<{ content: Buffer }>({
      text: 'SELECT content FROM tokenctl.state WHERE name = $1',
      values: [name],
    });
    return rows[0] && this.#decrypt(rows[0].content);
  }

  updateState<T>(name: string, change: (state: T | undefined) => T): Promise<T> {
    return withConnection(this.options.commitPool, async (client) => {
      const [, , found] = await sendTogether(client, [
        'BEGIN',
        // The row to lock. Nobody sees it without a state.
        { text: `INSERT INTO tokenctl.state VALUES ($1, '') ON CONFLICT DO NOTHING`, values: [name] },
        { text: 'SELECT content FROM tokenctl.state WHERE name = $1 FOR UPDATE', values: [name] },
      ]);
      const content: Buffer = found?.rows[0]?.content;
      const changed = change(content.length > 0 ? (this.#decrypt(content) as T) : undefined);
      const values = [name, this.#encrypt(changed)];
      await sendTogether(client, [
        { text: 'UPDATE tokenctl.state SET content = $2 WHERE name = $1', values },
        COUNT_CHANGE,
        'COMMIT',
      ]);
      return changed;
    });
  }

  async claim(name: string, leaseMs: number): Promise<boolean> {
    const { rowCount } = await this.#query({
      name: 'claim',
      text: `INSERT INTO tokenctl.claims AS c (name, owner, until) VALUES ($1, $2, now() + $3 * interval '1 ms')
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE c.until < now()`,
      values: [encodeText(name), this.#owner, leaseMs],
    });
    return rowCount === 1;
  }

  async release(name: string): Promise<void> {
    await this.#query({
      name: 'release',
      text: 'DELETE FROM tokenctl.claims WHERE name = $1 AND owner = $2',
      values: [encodeText(name), this.#owner],
    });
  }

  async countRequest(name: string, { now, lengthMs, limit, blockMs }: RateWindow) {
    const { rows } = await this.#query<{ requests: number; ends: string }>({
      name: 'count-request',
      text: `INSERT INTO tokenctl.request_windows AS w (name, starts, ends, requests) VALUES ($1, $2, $2 + $3::bigint, 1)
        ON CONFLICT (name) DO UPDATE SET (starts, ends, requests) = (
          SELECT CASE WHEN is_current THEN w.starts ELSE $2 END,
            CASE WHEN NOT is_current THEN $2 + $3 WHEN w.requests = $4 THEN $2 + $5::bigint ELSE w.ends END,
            CASE WHEN is_current THEN w.requests + 1 ELSE 1 END
          FROM (SELECT w.starts - ${SKEW_MS} <= $2 AND $2 < w.ends AS is_current) window_state
        )
        RETURNING requests, ends`,
      values: [name, now, lengthMs, limit, blockMs],
    });
    return { requests: rows[0]?.requests ?? 0, until: Number(rows[0]?.ends) };
  }

  async clearRequests(): Promise<void> {
    await this.#query({ text: 'DELETE FROM tokenctl.request_windows' });
  }

  async publish(message: unknown): Promise<void> {
    await this.#query({
      name: 'publish',
      text: `WITH old AS (DELETE FROM tokenctl.messages WHERE published < now() - interval '${KEPT_MS} ms')
        INSERT INTO tokenctl.messages (id, owner, content) VALUES ($1, $2, $3)`,
      values: [randomUUID(), this.#owner, this.#encrypt(message)],
    });
  }

  async readPublished(): Promise<unknown[]> {
    const last = this.#lastMessage;
    const { rows } = await this.#query<{ id: string; published: Date; content: Buffer }>({
      name: 'read-messages',
      text: `SELECT id, published, content FROM tokenctl.messages
        WHERE owner <> $1 AND published > coalesce($2, now() - interval '${LATE_MS} ms') AND NOT id = ANY($3::text[])
        ORDER BY published, id`,
      values: [this.#owner, last && new Date(last - LATE_MS), [...this.#seen.keys()]],
    });
    for (const { id, published } of rows) {
      this.#lastMessage = Math.max(this.#lastMessage ?? 0, published.getTime());
      this.#seen.set(id, published.getTime());
    }
    for (const [id, published] of this.#seen)
      if (published < (this.#lastMessage ?? 0) - LATE_MS) this.#seen.delete(id);
    return rows.map(({ content }) => this.#decrypt(content));
  }

  #query<Row extends object>(config: QueryConfig): Promise<QueryResult<Row>> {
    return query(this.options.pool, config);
  }

  #encrypt(value: unknown): Buffer {
    return this.options.cipher.encryptFile(JSON.stringify(value));
  }

  #decrypt(content: Buffer): unknown {
    return JSON.parse(this.options.cipher.decryptFile(content));
  }
}
