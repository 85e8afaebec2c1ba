import { COLLECTIONS, collectionOf } from '../collections.js';
import type { Documents } from '../documents.js';
import type { LineLocation } from '../line-location.js';
import type { Tables } from '../tables/tables.js';
import { type ChangeLine, openPart, type PutLine } from '../wal/line.js';

/** Says which lines of the journal still count. */
export class LiveLines {
  readonly #tables: Tables;
  readonly #documents: Documents;
  /** The revision of the last clear of each tenant and (undefined) of everything; it includes those before it. */
  readonly #clears = new Map<string | undefined, number>();

  constructor(tables: Tables, documents: Documents) {
    this.#tables = tables;
    this.#documents = documents;
  }

  /** Must be called in the order of revisions. */
  noteClear(revision: number, tenantId: string | undefined): void {
    if (tenantId === undefined) this.#clears.clear();
    this.#clears.set(tenantId, revision);
  }

  /** Whether a line counts. Removals up to the revision `erased` have nothing left to remove. */
  isLive(line: ChangeLine, at: Pick<LineLocation, 'segment' | 'offset'>, erased: number): boolean {
    if ('clear' in line) return this.#clears.get(line.tenant) === line.rev;
    if ('remove' in line) return line.rev > erased;
    const live = this.locationOf(line);
    return live?.segment === at.segment && live.offset === at.offset;
  }

  /** The location of the line that holds a record; undefined if that revision no longer counts. */
  locationOf(line: PutLine): LineLocation | undefined {
    const { put, rev } = line;
    const record = openPart(line);
    const tenantId = collectionOf(put).tenantOf(record);
    // The journal may have a clear that the tables do not have yet.
    if (this.#isCleared(rev, undefined) || this.#isCleared(rev, tenantId)) return undefined;
    if (COLLECTIONS[put].kind === 'document') return this.#documents.lineOf(rev);
    return this.#tables.of(put, tenantId)?.lineOf(record.id, rev);
  }

  #isCleared(revision: number, tenantId: string | undefined): boolean {
    return revision < (this.#clears.get(tenantId) ?? 0);
  }
}
