import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { RecordCipher } from '../encryption.js';
import { query } from './connection.js';

/** Milliseconds for which a message is kept. */
const KEPT_MS = 60_000;
/** Milliseconds by which a message may become visible later than the time it bears, which is that of its transaction. */
const LATE_MS = 10_000;

/** What processes tell each other, in a table of their database. */
export class Messages {
  readonly #pool: Pool;
  readonly #cipher: RecordCipher;
  /** The name of this process. */
  readonly #owner: string;
  /** The time of the last message that was read, in milliseconds since 1970 by the server's clock. */
  #last: number | undefined;
  /** Ids of the messages that were read and may be found again, with their times. */
  #seen = new Map<string, number>();

  constructor(pool: Pool, cipher: RecordCipher, owner: string) {
    this.#pool = pool;
    this.#cipher = cipher;
    this.#owner = owner;
  }

  async publish(message: unknown): Promise<void> {
    await query(this.#pool, {
      name: 'publish',
      text: `WITH old AS (DELETE FROM tokenctl.messages WHERE published < now() - interval '${KEPT_MS} ms')
        INSERT INTO tokenctl.messages (id, owner, content) VALUES ($1, $2, $3)`,
      values: [randomUUID(), this.#owner, this.#cipher.encryptFile(JSON.stringify(message))],
    });
  }

  async read(): Promise<unknown[]> {
    const { rows } = await query<{ id: string; published: Date; content: Buffer }>(this.#pool, {
      name: 'read-messages',
      text: `SELECT id, published, content FROM tokenctl.messages
        WHERE owner <> $1 AND published > coalesce($2, now() - interval '${LATE_MS} ms') AND NOT id = ANY($3::text[])
        ORDER BY published, id`,
      values: [this.#owner, this.#last && new Date(this.#last - LATE_MS), [...this.#seen.keys()]],
    });
    for (const { id, published } of rows) {
      this.#last = Math.max(this.#last ?? 0, published.getTime());
      this.#seen.set(id, published.getTime());
    }
    for (const [id, published] of this.#seen)
      if (published < (this.#last ?? 0) - LATE_MS) this.#seen.delete(id);
    return rows.map(({ content }) => JSON.parse(this.#cipher.decryptFile(content)));
  }
}
