import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { DataKey } from '../data-key.js';
import { createCipher, deriveKeys, keyCheck, type RecordCipher } from '../encryption.js';
import { WrongKeyError } from '../errors.js';

/** What opens the records of a database. */
interface Keys {
  cipher: RecordCipher;
  /** The key for the hashes of index terms. */
  hashKey: Uint8Array;
}

/**
 * Checks the data key of a database, or takes it for a new one. To be called with the lock of the migrations.
 * @throws WrongKeyError the key is not the one that the database was created with
 */
export async function openHeader(client: Client, name: string, dataKey: DataKey): Promise<Keys> {
  // The lock makes a start fail at once if the server is read-only, or the user may only read.
  const { rows } = await client.query<{ id: string; key_check: string }>(
    'SELECT id, key_check FROM tokenctl.store FOR UPDATE',
  );
  const known = rows[0];
  const id = known?.id ?? randomUUID();
  const { encryption, hashing } = deriveKeys(await dataKey(id, known === undefined));
  const check = keyCheck(encryption);
  if (known === undefined) {
    await client.query('INSERT INTO tokenctl.store (id, key_check) VALUES ($1, $2)', [id, check]);
  } else if (known.key_check !== check) {
    throw new WrongKeyError(`${name} was encrypted with another key than the one given.`);
  }
  return { cipher: createCipher(encryption), hashKey: hashing };
}
