import { COLLECTIONS } from '../collections.js';
import { DamagedError } from '../errors.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName } from '../records.js';
import type { BoundedLogTable } from '../tables/bounded-log-table.js';
import type { DiskTable } from '../tables/disk-table.js';
import type { Tables } from '../tables/tables.js';
import { type ClearLine, type Head, keysOf, type PutHead, type RemoveLine } from '../wal/line-codec.js';
import type { Segment } from '../wal/segment.js';
import { endOfWritten, type ScannedLine } from './scan.js';

type Numbered = PutHead | RemoveLine | ClearLine;

/** A line that is put into place when all has been read, in the order of revisions. */
export interface DeferredLine {
  head: Numbered;
  place: RecordLocation;
}

/** Where the useful part of a segment ends that was cut off while it was written. */
export interface TornTail {
  segment: number;
  size: number;
}

export interface RecoveryOptions {
  tables: Tables;
  /** Documents up to this revision are in documents.json. */
  documentsRevision: number;
  /** Told about every line that no longer counts. */
  bury(place: RecordLocation): void;
  /** Told about every removal. */
  removed(revision: number, place: RecordLocation): void;
}

/**
 * Brings the tables to where the journal ends. Lines may come in any order, since compaction moves them: the highest
 * revision of a record wins. Nothing is written.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #removed = new Map<string, number>();
  readonly #cleared = new Map<string, number>();
  #clearedAll = 0;
  readonly #clears: DeferredLine[] = [];
  readonly #log: { head: PutHead; place: RecordLocation }[] = [];
  readonly #documents: DeferredLine[] = [];
  readonly #damaged: { segment: Segment; line: ScannedLine }[] = [];
  readonly #scrubbed = new Set<string>();
  revision: number;
  torn: TornTail | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.revision = options.documentsRevision;
  }

  /** Takes up the lines of a segment; `active` is the one that was being appended to. */
  add(segment: Segment, lines: Iterable<ScannedLine>, active: boolean): void {
    let lived = 0;
    for (const line of active ? this.#withoutTornTail(segment, [...lines]) : lines) {
      lived += line.length + 1;
      if (line.head === undefined) this.#damaged.push({ segment, line });
      else this.#apply(line.head, line);
    }
    // The rest was blanked before this start.
    segment.dead += (this.torn?.segment === segment.id ? this.torn.size : segment.size) - lived;
  }

  /**
   * @throws DamagedError a line can be neither read nor explained
   */
  finish(): { documents: DeferredLine[]; clears: DeferredLine[]; halfBlanked: RecordLocation[] } {
    for (const { segment, line } of this.#damaged) {
      if (!this.#scrubbed.has(placeKey(line))) {
        throw new DamagedError(segment.path, line.number, 'this line is not what was written');
      }
    }
    // The start of blanking these was the last thing that happened to them.
    const halfBlanked = this.#damaged.map(({ line }) => place(line));
    this.#restoreLog();
    const clears = this.#once(this.#clears);
    const documents = this.#once(this.#documents);
    documents.push(...clears.filter(({ head }) => head.rev > this.#options.documentsRevision));
    return { documents: sorted(documents), clears, halfBlanked };
  }

  #apply(head: Head, line: ScannedLine): void {
    if ('scrub' in head) {
      for (const [segment, offset, length] of head.scrub) {
        this.#scrubbed.add(placeKey({ segment, offset, length }));
      }
      return;
    }
    this.revision = Math.max(this.revision, head.rev);
    if ('put' in head) this.#put(head, line);
    else if ('remove' in head) this.#remove(head, line);
    else this.#clear(head, line);
  }

  #put(head: PutHead, line: ScannedLine): void {
    const collection = COLLECTIONS[head.put];
    if (collection === undefined) return;
    if (collection.kind === 'document') this.#late(this.#documents, head, line);
    else if (head.put === 'log') this.#log.push({ head, place: place(line) });
    else this.#restore(head, line);
  }

  #restore(head: PutHead, line: ScannedLine): void {
    const table = this.#table(head.put, head.tenant);
    const known = table.revisionOf(head.id);
    if (this.#isCleared(head) || (known ?? 0) >= head.rev || this.#removedAt(head) >= head.rev) {
      this.#options.bury(place(line));
      return;
    }
    if (known !== undefined) table.remove(head.id);
    table.restore(head.id, keysOf(head), line, head.rev);
  }

  #removedAt({ put, tenant, id }: PutHead): number {
    return this.#removed.size === 0 ? 0 : (this.#removed.get(recordKey(put, tenant, id)) ?? 0);
  }

  #remove(head: RemoveLine, line: ScannedLine): void {
    if (COLLECTIONS[head.remove]?.kind === 'document') {
      this.#late(this.#documents, head, line);
      return;
    }
    this.#options.removed(head.rev, line);
    const key = recordKey(head.remove, head.tenant, head.id);
    this.#removed.set(key, Math.max(head.rev, this.#removed.get(key) ?? 0));
    const table = this.#options.tables.of(head.remove, head.tenant) as DiskTable<CollectionName> | undefined;
    if ((table?.revisionOf(head.id) ?? head.rev) < head.rev) table?.remove(head.id);
  }

  #clear(head: ClearLine, line: ScannedLine): void {
    this.#clears.push({ head, place: place(line) });
    if (head.tenant === undefined) {
      this.#clearedAll = Math.max(this.#clearedAll, head.rev);
    } else this.#cleared.set(head.tenant, Math.max(head.rev, this.#cleared.get(head.tenant) ?? 0));
    for (const name of ['tokens', 'activity', 'idempotency', 'deliveries'] as const) {
      const tenants = head.tenant === undefined ? [...this.#options.tables.tenants(name)] : [head.tenant];
      for (const tenant of tenants) {
        const table = this.#options.tables.of(name, tenant) as DiskTable<CollectionName> | undefined;
        for (const id of table?.olderThan(head.rev) ?? []) table?.remove(id);
      }
    }
  }

  #late(list: DeferredLine[], head: PutHead | RemoveLine, line: ScannedLine): void {
    if (head.rev > this.#options.documentsRevision) list.push({ head, place: place(line) });
    else this.#options.bury(place(line));
  }

  #restoreLog(): void {
    for (const { head, place } of this.#once(this.#log)) {
      if (this.#isCleared(head)) this.#options.bury(place);
      else {
        const table = this.#options.tables.ensure('log', head.tenant) as BoundedLogTable<'log'>;
        table.restore(head.id, place, head.rev);
      }
    }
  }

  /** In the order of revisions. A kill between the packing of a segment and its removal leaves every line of it twice. */
  #once<L extends DeferredLine>(lines: L[]): L[] {
    return sorted(lines).filter(({ head, place }, i, all) => {
      const isThere = head.rev === all[i - 1]?.head.rev;
      if (isThere) this.#options.bury(place);
      return !isThere;
    });
  }

  #isCleared({ tenant, rev }: PutHead): boolean {
    return rev < this.#clearedAll || rev < (this.#cleared.get(tenant) ?? 0);
  }

  #table(collection: CollectionName, tenant: string): DiskTable<CollectionName> {
    return this.#options.tables.ensure(collection, tenant) as unknown as DiskTable<CollectionName>;
  }

  /**
   * What was being written when the process or the machine stopped was not acknowledged: from the first line that lacks
   * its end or whose bytes never arrived (lines behind it may have), and a commit without its last part.
   */
  #withoutTornTail(segment: Segment, lines: ScannedLine[]): ScannedLine[] {
    let end = endOfWritten(lines);
    const last = lines[end - 1]?.head;
    const part = last !== undefined && 'part' in last ? last.part : undefined;
    if (part !== undefined && part[0] < part[1] - 1) end = Math.max(0, end - 1 - part[0]);
    const first = lines[end];
    if (first !== undefined) this.torn = { segment: segment.id, size: first.offset };
    return lines.slice(0, end);
  }
}

function sorted<L extends DeferredLine>(lines: L[]): L[] {
  return lines.sort((a, b) => a.head.rev - b.head.rev);
}

function place({ segment, offset, length }: RecordLocation): RecordLocation {
  return { segment, offset, length };
}

function placeKey({ segment, offset, length }: RecordLocation): string {
  return `${segment}:${offset}:${length}`;
}

function recordKey(collection: string, tenant: string, id: string): string {
  return `${collection}\n${tenant}\n${id}`;
}
