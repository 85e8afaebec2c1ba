import { setImmediate as otherTurn } from 'node:timers/promises';
import { COLLECTIONS } from '../collections.js';
import type { Documents } from '../documents.js';
import { StorageError } from '../errors.js';
import { TEMP_SUFFIX } from '../files/atomic-file.js';
import { type FileSystem, writeFully } from '../files/file-system.js';
import type { RecordLocation } from '../record-location.js';
import type { CollectionName } from '../records.js';
import { readSegment, type ScannedLine, scan } from '../recovery/scan.js';
import type { BoundedLogTable } from '../tables/bounded-log-table.js';
import type { DiskTable } from '../tables/disk-table.js';
import type { Tables } from '../tables/tables.js';
import type { Journal } from '../wal/journal.js';
import type { Head, PutHead } from '../wal/line-codec.js';
import type { Segment } from '../wal/segment.js';

/** Lines looked at before other work gets its turn. */
const LINES_PER_TURN = 500;

export interface SegmentRewriterOptions {
  files: FileSystem;
  journal: Journal;
  tables: Tables;
  documents: Documents;
}

interface Burial {
  bury(place: RecordLocation): void;
  removed(revision: number, place: RecordLocation): void;
}

interface Kept {
  head: Head;
  bytes: Buffer;
  place: RecordLocation;
}

/** Writes segments anew without what no longer counts, several into one. */
export class SegmentRewriter {
  readonly #options: SegmentRewriterOptions;
  /** Revisions of the lines that void what stood before them, of a tenant or of all: the last one does for those before it. */
  readonly #clears = new Map<string | undefined, number>();

  constructor(options: SegmentRewriterOptions) {
    this.#options = options;
  }

  /** To be called in the order of revisions. */
  keepClear({ tenantId, revision }: { tenantId?: string; revision: number }): void {
    if (tenantId === undefined) this.#clears.clear();
    this.#clears.set(tenantId, revision);
  }

  /** Removals up to the revision `forgotten` have nothing left to remove. */
  async pack(segments: Segment[], forgotten: number, burial: Burial): Promise<void> {
    const kept: Kept[] = [];
    for (const segment of segments) {
      const holdsNothing = segment.dead >= segment.size && segment.lastRemoval <= forgotten;
      if (!segment.isVoid && !holdsNothing) await this.#keepLive(segment, forgotten, kept);
    }
    if (kept.length > 0) this.#take(kept, await this.#write(kept), burial);
    await this.#options.journal.discard(segments);
  }

  async #keepLive(segment: Segment, forgotten: number, kept: Kept[]): Promise<void> {
    const bytes = readSegment(this.#options.files, segment, segment.size);
    let looked = 0;
    for (const line of scan(segment.id, bytes)) {
      const { head, offset, length } = line;
      if (head === undefined) {
        segment.isDamaged = true;
        throw new StorageError(`line ${line.number} of ${segment.path} cannot be read any more`);
      }
      if (this.#isLive(head, line, forgotten)) {
        kept.push({ head, bytes: bytes.subarray(offset, offset + length + 1), place: line });
      }
      looked += 1;
      if (looked % LINES_PER_TURN === 0) await otherTurn();
    }
  }

  #isLive(head: Head, line: ScannedLine, forgotten: number): boolean {
    if ('scrub' in head) return false;
    if ('clear' in head) return this.#clears.get(head.tenant) === head.rev;
    if ('remove' in head) return head.rev > forgotten;
    const place = this.#placeOf(head);
    return place !== undefined && place.segment === line.segment && place.offset === line.offset;
  }

  /** Where the line of a record stands that counts. */
  #placeOf(head: PutHead): RecordLocation | undefined {
    if (COLLECTIONS[head.put].kind === 'document') return this.#options.documents.placeOf(head.rev);
    const table = this.#options.tables.of(head.put, head.tenant);
    if (head.put === 'log') return (table as BoundedLogTable<'log'> | undefined)?.placeOf(head.rev);
    return (table as DiskTable<CollectionName> | undefined)?.placeOf(head.id);
  }

  async #write(kept: Kept[]): Promise<Segment> {
    const { files, journal } = this.#options;
    const { id, path } = journal.reserve(true);
    const beside = path + TEMP_SUFFIX;
    const file = await files.open(beside, 'replace');
    try {
      const bytes = Buffer.concat(kept.map((line) => line.bytes));
      await writeFully(files, file, bytes, 0);
      await files.sync(file);
      await files.rename(beside, path);
      return { id, path, file, size: bytes.length, dead: 0, packed: true, lastRemoval: 0 };
    } catch (error) {
      await files.close(file);
      await files.remove(beside).catch(() => {});
      throw error;
    }
  }

  /** From here on the lines are where they were written to; those that died meanwhile are buried there. */
  #take(kept: Kept[], segment: Segment, burial: Burial): void {
    this.#options.journal.adopt(segment);
    let offset = 0;
    for (const { head, bytes, place } of kept) {
      const to = { segment: segment.id, offset, length: place.length };
      offset += bytes.length;
      if ('put' in head) {
        if (!this.#move(head, to)) burial.bury(to);
      } else if ('remove' in head) burial.removed(head.rev, to);
    }
  }

  #move(head: PutHead, to: RecordLocation): boolean {
    if (COLLECTIONS[head.put].kind === 'document') return this.#options.documents.move(head.rev, to);
    const table = this.#options.tables.of(head.put, head.tenant);
    if (head.put === 'log') return (table as BoundedLogTable<'log'> | undefined)?.move(head.rev, to) ?? false;
    return (table as DiskTable<CollectionName> | undefined)?.move(head.id, head.rev, to) ?? false;
  }
}
