import type { Client } from '../../../client/client.js';
import type { OperationId } from '../../../contract/operations.js';
import type { ApplicationChanges } from './access.js';
import type { ApplicationIds } from './application-ids.js';
import type { Contents, Kind, Stored } from './content.js';
import type { Field } from './field.js';

/** What the engine needs to know of one kind of objects. */
export interface Adapter<K extends Kind> {
  /** The operations that the functions below call. What a kind cannot do is absent. */
  operations: { list: OperationId; update: OperationId; create?: OperationId; remove?: OperationId };
  /** Yields all objects, or those with exactly this name. */
  list(client: Client, name?: string): AsyncIterable<Stored<K>>;
  create(client: Client, content: Contents[K], ids: ApplicationIds): Promise<Stored<K>>;
  update(client: Client, id: string, content: Contents[K], ids: ApplicationIds): Promise<void>;
  /** Deletes an object. It is not an error if the object does not exist. */
  remove(client: Client, id: string): Promise<void>;
  /** Lists the values that plans compare. */
  fields(content: Contents[K]): Field[];
  /** Replaces IDs of applications by their names. */
  normalize(content: Contents[K], ids: ApplicationIds): Contents[K];
  /** Returns the name of the application that an object refers to. */
  application(content: Contents[K]): string | undefined;
  /**
   * Describes what becomes possible that was not before, one sentence each: who can read or use what data, or send it where.
   * @param before undefined for a new object
   */
  weakenings(before: Contents[K] | undefined, after: Contents[K], applications: ApplicationChanges): string[];
}
