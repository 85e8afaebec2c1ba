import type { Pool } from 'pg';
import type { RecordCipher } from '../encryption.js';
import { decryptSnapshot, type SnapshotStorage } from '../snapshot-storage.js';
import { sendTogether, unhurried, withConnection } from './connection.js';

/** Keeps snapshots in the database, encrypted as a whole. */
export function postgresSnapshotStorage(pool: Pool, cipher: RecordCipher): SnapshotStorage {
  const query = <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
    withConnection(pool, async (client) => {
      const results = await sendTogether(client, ['BEGIN', ...unhurried([{ text, values }, 'COMMIT'])]);
      return results.flatMap(({ rows }) => rows);
    });
  return {
    async write(name, text) {
      await query(
        `INSERT INTO tokenctl.snapshots (name, content) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET content = excluded.content`,
        [name, cipher.encryptFile(text)],
      );
    },
    async read(name) {
      const [row] = await query<{ content: Buffer }>(
        'SELECT content FROM tokenctl.snapshots WHERE name = $1',
        [name],
      );
      return row && decryptSnapshot(name, () => cipher.decryptFile(row.content));
    },
    async remove(name) {
      await query('DELETE FROM tokenctl.snapshots WHERE name = $1', [name]);
    },
    async names() {
      const rows = await query<{ name: string }>('SELECT name FROM tokenctl.snapshots', []);
      return rows.map(({ name }) => name);
    },
  };
}
