import { join } from 'node:path';
import pLimit from 'p-limit';
import { isDiskFull, storageError } from '../errors.js';
import { TEMP_SUFFIX } from '../files/atomic-file.js';
import { type FileSystem, HEADER_FILE, JOURNAL_DIR, writeFully } from '../files/file-system.js';
import type { KeptFile } from '../files/presence.js';
import type { LineLocation } from '../line-location.js';
import { type StoreIdentity, writeHeader } from '../store-header.js';
import { erasedBytes, formatLine } from './line.js';
import { type Segment, segmentPath } from './segment.js';

interface JournalOptions {
  files: FileSystem;
  dataDir: string;
  /** `os` leaves it to the system when the bytes reach the disk. */
  durability: 'sync' | 'os';
  identity: StoreIdentity;
  /** The highest revision in use. */
  revision: number;
  next: number;
  /** Bytes of the last segment that the store header knows of; undefined if there is no header. */
  listedBytes: number | undefined;
  snapshots: readonly string[];
  /** Bytes after which the next segment is begun. */
  segmentBytes: number;
}

/**
 * The segments that the store header lists. Groups of lines are appended to the last one; the others are only erased in place,
 * or replaced as a whole. What the header lists is what counts: a segment is written under a temporary name, listed, and
 * then gets its own name.
 */
export class Journal {
  readonly #directory: string;
  #revision: number;
  #next: number;
  #listedBytes: number | undefined;
  /** The names of the snapshots that must be there. */
  readonly snapshots: Set<string>;
  readonly segmentBytes: number;
  /** Whether the header on the disk may list other segments, because writing it failed. */
  #isHeaderUncertain = false;
  #isClosed = false;
  /** A failed append may have left bytes behind the end of the last segment. */
  #isTailDirty = false;
  /** Files that do not count and are still to be removed. */
  readonly #leftovers = new Set<string>();
  readonly #inTurn = pLimit(1);

  /** @param segments in the order of revisions */
  constructor(
    private readonly options: JournalOptions,
    public segments: readonly Segment[],
  ) {
    this.#directory = join(options.dataDir, JOURNAL_DIR);
    this.#revision = options.revision;
    this.#next = options.next;
    this.#listedBytes = options.listedBytes;
    this.snapshots = new Set(options.snapshots);
    this.segmentBytes = options.segmentBytes;
  }

  /** The segments that nothing is appended to any more. */
  get closed(): Segment[] {
    return this.segments.slice(0, -1);
  }

  /** The files that must stay where they are. */
  get keptFiles(): KeptFile[] {
    const header = join(this.options.dataDir, HEADER_FILE);
    return [...(this.#listedBytes === undefined ? [] : [{ path: header }]), ...this.segments];
  }

  /** Lists a snapshot in the store header, or takes it off. */
  async listSnapshot(name: string, isThere: boolean): Promise<void> {
    if (this.snapshots.has(name) === isThere) return;
    if (isThere) this.snapshots.add(name);
    else this.snapshots.delete(name);
    await this.#write(() => this.#list(this.segments));
  }

  /** Appends a group of lines, all or nothing. @param revisions of the first and last change; absent without changes */
  append(lines: readonly Buffer[], revisions?: readonly [first: number, last: number]) {
    return this.#write(async () => {
      const segment = await this.#writable();
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      const head = formatLine({ group: bytes });
      await this.#writeTail(segment, Buffer.concat([head, ...lines]));
      let offset = segment.bytes + head.length;
      segment.bytes = offset + bytes;
      if (revisions) segment.revisions = [segment.revisions?.[0] ?? revisions[0], revisions[1]];
      this.#revision = revisions?.[1] ?? this.#revision;
      return lines.map(({ length }) => {
        offset += length;
        return { segment: segment.number, offset: offset - length, length: length - 1 };
      });
    });
  }

  /** Overwrites ranges of bytes with spaces and syncs them. */
  async erase(ranges: readonly LineLocation[]): Promise<void> {
    const touched = new Set<Segment>();
    for (const { segment: number, offset, length } of ranges) {
      const segment = this.segments.find((one) => one.number === number);
      if (segment === undefined) continue;
      await writeFully(this.options.files, segment.file, erasedBytes(length), offset);
      touched.add(segment);
    }
    for (const segment of touched) await this.#sync(segment);
  }

  /** Replaces consecutive closed segments by one with the given lines, or by none; `removeLeftovers` removes the files. */
  async replace(sources: readonly Segment[], lines: readonly Buffer[]): Promise<Segment | undefined> {
    const next = lines.length === 0 ? undefined : await this.#create(lines);
    if (next) {
      const revisions = sources.flatMap((source) => source.revisions ?? []);
      next.revisions = [revisions[0] ?? 0, revisions.at(-1) ?? 0];
      next.closed_at = sources.at(-1)?.closed_at;
    }
    await this.#write(async () => {
      const [first] = sources;
      const listed = this.segments.flatMap((segment) => {
        if (!sources.includes(segment)) return [segment];
        return segment === first && next ? [next] : [];
      });
      await this.#list(listed, next);
      for (const { path } of sources) this.#leftovers.add(path);
      for (const { file } of sources) await this.options.files.close(file);
    });
    return next;
  }

  /** Removes the files that do not count. Those that cannot be removed are tried again at the next call. */
  async removeLeftovers(): Promise<void> {
    if (this.#leftovers.size === 0) return;
    const { files } = this.options;
    // Not those that are added from now on: an append may be about to list its segment.
    const paths = await this.#write(async () => {
      await this.#settleHeader();
      return [...this.#leftovers];
    });
    for (const path of paths) {
      await files.remove(path);
      this.#leftovers.delete(path);
    }
    await files.syncDirectory(this.#directory);
  }

  /**
   * Syncs what a killed process may have left in the system's cache. From now on it counts, so it must be on the disk before
   * anything is written or erased because of it. What no header lists is written again first: after a sync that failed, the system
   * takes it for written, and another sync writes nothing.
   */
  async sync(): Promise<void> {
    const { files, dataDir } = this.options;
    const last = this.segments.at(-1);
    const listed = this.#listedBytes ?? 0;
    if (last && last.bytes > listed) {
      const bytes = await files.readFile(last.path);
      const tail = bytes.subarray(listed, last.bytes);
      await writeFully(files, last.file, tail, listed).catch((error) => {
        // A start must be possible, to free space.
        if (!isDiskFull(error)) throw error;
      });
    }
    await Promise.all(this.segments.map((segment) => this.#sync(segment)));
    await Promise.all([this.#directory, dataDir].map((path) => files.syncDirectory(path)));
  }

  /** Records how long the last segment is, so that the next start knows of every byte, and closes the files. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      const { segments } = this;
      const bytes = segments.at(-1)?.bytes ?? 0;
      try {
        if (this.#isTailDirty) await this.#truncateTail(segments.at(-1) as Segment);
        if (this.#isHeaderUncertain || bytes !== this.#listedBytes) await this.#list(segments);
      } catch {
        // The next start finds what it would find after a kill.
      }
      await this.abandon();
    });
  }

  async abandon(): Promise<void> {
    this.#isClosed = true;
    const { segments } = this;
    this.segments = [];
    for (const { file } of segments) await this.options.files.close(file);
  }

  async #writable(): Promise<Segment> {
    await this.#settleHeader();
    const last = this.segments.at(-1);
    if (last !== undefined && this.#isTailDirty) await this.#truncateTail(last);
    if (last !== undefined && last.bytes < this.segmentBytes) return last;
    if (last !== undefined) await this.#sync(last);
    const next = await this.#create([]);
    const closedAt = last?.closed_at;
    if (last) last.closed_at = new Date().toISOString();
    try {
      await this.#list([...this.segments, next], next);
    } catch (error) {
      if (last) last.closed_at = closedAt;
      throw error;
    }
    return next;
  }

  async #writeTail(segment: Segment, bytes: Buffer): Promise<void> {
    try {
      await writeFully(this.options.files, segment.file, bytes, segment.bytes);
      await this.#sync(segment);
    } catch (error) {
      this.#isTailDirty = true;
      await this.#truncateTail(segment).catch(() => {});
      throw error;
    }
  }

  /** Removes what a failed append left, from the disk too, before anything is written in its place. */
  async #truncateTail(segment: Segment): Promise<void> {
    await this.options.files.truncate(segment.file, segment.bytes);
    await this.#sync(segment);
    this.#isTailDirty = false;
  }

  /** Writes a segment under a temporary name. It does not count before the header lists it. */
  async #create(lines: readonly Buffer[]): Promise<Segment> {
    const { files, identity } = this.options;
    const number = this.#next;
    this.#next += 1;
    const path = segmentPath(this.#directory, number) + TEMP_SUFFIX;
    const content = Buffer.concat([formatLine({ store: identity }), ...lines]);
    this.#leftovers.add(path);
    const file = await files.open(path, 'replace');
    try {
      await writeFully(files, file, content, 0);
      await files.sync(file);
      await files.syncDirectory(this.#directory);
    } catch (error) {
      await files.close(file);
      throw error;
    }
    return { number, path, file, bytes: content.length };
  }

  /** Makes the segments those that count. @param created the one of them that has a temporary name */
  async #list(segments: readonly Segment[], created?: Segment): Promise<void> {
    const { files, dataDir, identity } = this.options;
    this.#isHeaderUncertain = true;
    try {
      const journal = segments.map(listed);
      const header = { ...identity, revision: this.#revision, next: this.#next, journal };
      await writeHeader(files, dataDir, { ...header, snapshots: [...this.snapshots] });
    } catch (error) {
      if (created) await files.close(created.file);
      throw error;
    }
    this.#isHeaderUncertain = false;
    this.segments = segments;
    this.#listedBytes = segments.at(-1)?.bytes ?? 0;
    if (created === undefined) return;
    this.#leftovers.delete(created.path);
    const path = segmentPath(this.#directory, created.number);
    // If this fails, the next start does it.
    await files.rename(created.path, path).then(
      () => Object.assign(created, { path }),
      () => {},
    );
  }

  /** Lists the segments that count again if the header may list others. */
  async #settleHeader(): Promise<void> {
    if (this.#isHeaderUncertain) await this.#list(this.segments);
  }

  async #sync(segment: Segment): Promise<void> {
    if (this.options.durability === 'sync') await this.options.files.sync(segment.file);
  }

  #write<T>(write: () => Promise<T>): Promise<T> {
    const closed = () => Promise.reject(new Error('the store is closed'));
    return this.#inTurn(() => (this.#isClosed ? closed() : write())).catch((error) => {
      throw storageError(error);
    });
  }
}

const listed = ({ number, bytes, revisions, closed_at }: Segment) => ({
  number,
  bytes,
  revisions,
  closed_at,
});
