import type { Resource } from '../../../src/contract/resources.js';
import type { Records, Stored } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';

export type ResourceCollection = Resource['collection'];

/** The fields of an object, by name: those of a request, or of a record. */
export type Fields = Record<string, unknown>;

/** Who and when, for a record and for what belongs to it. */
export interface Creation {
  created_by: string;
  created_at: string;
}

/**
 * A resource as the emulator serves it: its row of the resource table, and functions for what is special about it. All of them
 * are optional; a resource without them has the usual handlers.
 */
export interface ServedResource<C extends ResourceCollection = ResourceCollection> {
  row: Resource;
  /** Checks what neither the schema nor the kinds of the fields say. @param current undefined for a new object @throws ProblemError */
  check?(
    body: Fields,
    current: Stored<Records[C]> | undefined,
    call: Call,
    context: Context,
  ): void | Promise<void>;
  /** Converts values before they are stored, by the name of their field. */
  convert?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Properties of every answer that no record has. */
  constants?: Fields;
  /** Generates what no request sets: `stored` with the record, `shown` in the answer to its creation alone. */
  generate?(
    body: Fields,
    created: Creation & { id: string },
    context: Context,
  ): { stored: Fields; shown?: Fields };
  /** Checks a record that is about to be stored. @throws ProblemError */
  assertRoom?(record: Records[C], context: Pick<Context, 'store'>): Promise<void>;
  /** Returns further changes of an update or a removal, for the same commit. @param changed names of fields; undefined on removal */
  commitWith?(
    record: Records[C],
    changed: string[] | undefined,
    context: Context,
  ): Change[] | Promise<Change[]>;
  /** Follows a change that is committed. */
  afterChange?(record: Records[C], context: Context): void | Promise<void>;
  /** Follows a removal, after `afterChange`. */
  afterRemoval?(record: Records[C], context: Context): void | Promise<void>;
}
