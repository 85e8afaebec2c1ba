import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { collectionOf } from '../collections.js';
import type { RecordCipher } from '../encryption.js';
import type { RecordChange } from '../record-change.js';
import type { RateWindow, SharedStore } from '../store.js';
import { query, sendTogether, withConnection } from './connection.js';
import { Messages } from './messages.js';
import { encodeText } from './terms.js';

/**
 * Milliseconds by which a request may seem to come before the window that it belongs to: its process has another clock, or
 * was slower. A window that starts later than that is not current: the clock was set back.
 */
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

/** What processes decide together, in tables of their database. */
export class PostgresSharedStore implements SharedStore {
  readonly #pool: Pool;
  readonly #commitPool: Pool;
  readonly #cipher: RecordCipher;
  /** The owner of the claims of this process. */
  readonly #owner = randomUUID();
  readonly #messages: Messages;
  #polling: Promise<number> | undefined;
  #nextPoll: Promise<number> | undefined;

  constructor(pool: Pool, commitPool: Pool, cipher: RecordCipher) {
    this.#pool = pool;
    this.#commitPool = commitPool;
    this.#cipher = cipher;
    this.#messages = new Messages(pool, cipher, this.#owner);
  }

  /** Calls during a poll share the next one: the answer of this one may be older than they are. */
  revision(): Promise<number> {
    this.#nextPoll ??= (this.#polling ?? Promise.resolve(0))
      .catch(() => {})
      .then(() => {
        this.#nextPoll = undefined;
        this.#polling = query<{ changes: string }>(this.#pool, { name: 'poll', text: READ_CHANGES }).then(
          ({ rows }) => Number(rows[0]?.changes),
        );
        return this.#polling;
      });
    return this.#nextPoll;
  }

  async readState(name: string): Promise<unknown> {
    const { rows } = await query<{ content: Buffer }>(this.#pool, {
      text: 'SELECT content FROM tokenctl.state WHERE name = $1',
      values: [name],
    });
    return rows[0] && JSON.parse(this.#cipher.decryptFile(rows[0].content));
  }

  updateState<T>(name: string, change: (state: T | undefined) => T): Promise<T> {
    return withConnection(this.#commitPool, async (client) => {
      const [, , found] = await sendTogether(client, [
        'BEGIN',
        // The row to lock. Nobody sees it without a state.
        { text: `INSERT INTO tokenctl.state VALUES ($1, '') ON CONFLICT DO NOTHING`, values: [name] },
        { text: 'SELECT content FROM tokenctl.state WHERE name = $1 FOR UPDATE', values: [name] },
      ]);
      const content: Buffer = found?.rows[0]?.content;
      const changed = change(content.length > 0 ? JSON.parse(this.#cipher.decryptFile(content)) : undefined);
      const values = [name, this.#cipher.encryptFile(JSON.stringify(changed))];
      await sendTogether(client, [
        { text: 'UPDATE tokenctl.state SET content = $2 WHERE name = $1', values },
        COUNT_CHANGE,
        'COMMIT',
      ]);
      return changed;
    });
  }

  async claim(name: string, leaseMs: number): Promise<boolean> {
    const { rowCount } = await query(this.#pool, {
      name: 'claim',
      text: `INSERT INTO tokenctl.claims AS c (name, owner, until) VALUES ($1, $2, now() + $3 * interval '1 ms')
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE c.until < now()`,
      values: [encodeText(name), this.#owner, leaseMs],
    });
    return rowCount === 1;
  }

  async release(name: string): Promise<void> {
    await query(this.#pool, {
      name: 'release',
      text: 'DELETE FROM tokenctl.claims WHERE name = $1 AND owner = $2',
      values: [encodeText(name), this.#owner],
    });
  }

  async countRequest(
    name: string,
    { now, lengthMs, limit, blockMs }: RateWindow,
  ): Promise<{ requests: number; until: number }> {
    const { rows } = await query<{ requests: number; ends: string }>(this.#pool, {
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
    await query(this.#pool, { text: 'DELETE FROM tokenctl.request_windows' });
  }

  publish(message: unknown): Promise<void> {
    return this.#messages.publish(message);
  }

  readPublished(): Promise<unknown[]> {
    return this.#messages.read();
  }
}
