import { parseTimestamp } from '../../lib/timestamps.js';
import type { Collection } from '../collections.js';
import type { OrderedTerms } from '../condition.js';
import type { CollectionName, Records } from '../records.js';
import type { TermHasher } from './term-hash.js';

/** What the indexes need to know of a record; kept beside it in the journal. */
export interface IndexKeys {
  /** Milliseconds; 0 in collections ordered by id alone. */
  created: number;
  /** The other times, in the order of `orderedTerms`; 0 for none. */
  times: number[];
  hashes: number[];
}

/** Of each collection, once: every record that is written asks. */
const known = new WeakMap<object, string[]>();

/** The ordered terms beside `created_at`, which orders everything anyway. */
export function orderedTerms<N extends CollectionName>(
  collection: Collection<N>,
): readonly OrderedTerms[N][] {
  let terms = known.get(collection);
  if (terms === undefined) {
    terms = Object.keys(collection.ordered).filter((term) => term !== 'created_at');
    known.set(collection, terms);
  }
  return terms as OrderedTerms[N][];
}

function time(text: string | undefined): number {
  return text === undefined ? 0 : parseTimestamp(text);
}

export function indexKeys<N extends CollectionName>(
  collection: Collection<N>,
  hasher: TermHasher,
  record: Records[N],
): IndexKeys {
  const hashes: number[] = [];
  for (const [term, value] of collection.terms(record)) hashes.push(hasher(term, value));
  const times: number[] = [];
  for (const term of orderedTerms(collection)) times.push(time(collection.ordered[term](record)));
  return { created: time(collection.createdAt?.(record)), times, hashes };
}
