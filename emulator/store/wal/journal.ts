import pLimit from 'p-limit';
import { DamagedError, RESTORE, storageError } from '../errors.js';
import { type FileSystem, writeFully } from '../files/file-system.js';
import type { LineLocation } from '../line-location.js';
import { erasedLine } from './line.js';
import {
  activeSegment,
  LINE_FEED,
  readSegment,
  SEGMENT_BYTES,
  type Segment,
  type SegmentName,
  segmentPath,
} from './segment.js';

interface JournalOptions {
  files: FileSystem;
  directory: string;
  /** `os` leaves it to the system when the bytes reach the disk. */
  durability: 'sync' | 'os';
}

/**
 * The files of the journal. Lines are appended to the active segment, and erased in place in any. Calls that write
 * wait for each other.
 */
export class Journal {
  readonly segments = new Map<number, Segment>();
  readonly #options: JournalOptions;
  #active: Segment | undefined;
  #nextId = 1;
  /** A failed append may have left bytes behind the end of the active segment. */
  #isTailDirty = false;
  readonly #inTurn = pLimit(1);

  constructor(options: JournalOptions, segments: Segment[]) {
    this.#options = options;
    for (const segment of segments) this.adopt(segment);
    this.#active = activeSegment(segments);
  }

  get activeId(): number | undefined {
    return this.#active?.id;
  }

  /** Writes lines to the end of the active segment, all or none, and returns their locations when they are durable. */
  append(lines: readonly Buffer[]): Promise<LineLocation[]> {
    return this.#write(async () => {
      const segment = await this.#writable();
      const bytes = Buffer.concat(lines);
      try {
        await writeFully(this.#options.files, segment.file, bytes, segment.size);
        await this.#sync(segment);
      } catch (error) {
        this.#isTailDirty = true;
        await this.#truncateTail(segment).catch(() => {});
        throw error;
      }
      return lines.map((line) => {
        const location = { segment: segment.id, offset: segment.size, length: line.length - 1 };
        segment.size += line.length;
        return location;
      });
    });
  }

  /**
   * Syncs what a killed process may have left in the system's cache. From now on it counts, so it must be on the disk before
   * anything is written or erased because of it.
   */
  async sync(): Promise<void> {
    await Promise.all([...this.segments.values()].map((segment) => this.#sync(segment)));
    await this.#options.files.syncDirectory(this.#options.directory);
  }

  /** Closes the active segment and begins a new one. */
  rotate(): Promise<void> {
    return this.#write(async () => {
      await this.#begin();
    });
  }

  /** Returns the error of a line whose record is not what was written. */
  damageAt({ segment: id, offset }: LineLocation, cause: unknown): Error {
    const segment = this.segments.get(id);
    if (segment === undefined) return storageError(cause);
    const before = readSegment(this.#options.files, segment).subarray(0, offset);
    const line = before.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 1);
    return new DamagedError(segment.path, line, 'its record is not what was written', {
      cause,
      advice: RESTORE,
    });
  }

  /** Overwrites lines with spaces and syncs them. */
  async erase(locations: readonly LineLocation[]): Promise<void> {
    const touched = new Set<Segment>();
    for (const { segment: id, offset, length } of locations) {
      const segment = this.segments.get(id);
      if (segment === undefined) continue;
      await writeFully(this.#options.files, segment.file, erasedLine(length), offset);
      touched.add(segment);
    }
    for (const segment of touched) await this.#sync(segment);
  }

  /** Reserves the id of a new segment. */
  reserve(packed: boolean): SegmentName {
    const id = this.#nextId;
    this.#nextId += 1;
    return { id, packed, path: segmentPath(this.#options.directory, id, packed) };
  }

  /** Adds a segment that was written elsewhere. */
  adopt(segment: Segment): void {
    this.segments.set(segment.id, segment);
    this.#nextId = Math.max(this.#nextId, segment.id + 1);
  }

  /** Says that no line of a segment counts any more. */
  markObsolete(segment: Segment): void {
    segment.dead = segment.size;
    segment.isObsolete = true;
  }

  /** Deletes segments of which nothing counts any more. Those that cannot be deleted are left obsolete, to be tried again. */
  async discard(segments: Segment[]): Promise<void> {
    const { files, directory } = this.#options;
    for (const segment of segments) this.markObsolete(segment);
    // The segment that took over what counted must be on the disk first.
    await files.syncDirectory(directory);
    for (const { path } of segments) await files.remove(path);
    await files.syncDirectory(directory);
    for (const { id, file } of segments) {
      this.segments.delete(id);
      await files.close(file);
    }
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      for (const { file } of this.segments.values()) await this.#options.files.close(file);
      this.segments.clear();
    });
  }

  async #writable(): Promise<Segment> {
    const active = this.#active;
    if (active === undefined || active.size >= SEGMENT_BYTES) return this.#begin();
    if (this.#isTailDirty) await this.#truncateTail(active);
    return active;
  }

  /** Removes what a failed append left, from the disk too, before anything is written in its place. */
  async #truncateTail(segment: Segment): Promise<void> {
    await this.#options.files.truncate(segment.file, segment.size);
    await this.#sync(segment);
    this.#isTailDirty = false;
  }

  async #begin(): Promise<Segment> {
    const { files, directory } = this.#options;
    if (this.#active !== undefined) await this.#finish(this.#active);
    const name = this.reserve(false);
    const file = await files.open(name.path, 'replace');
    try {
      await files.syncDirectory(directory);
    } catch (error) {
      // The next start would take it for the active one and expect no torn tail where one may be.
      await files.close(file);
      await files.remove(name.path);
      throw error;
    }
    const segment: Segment = { ...name, file, size: 0, dead: 0, lastRemoval: 0 };
    this.adopt(segment);
    this.#active = segment;
    return segment;
  }

  /** Only the active segment may end torn: the others must have reached the disk. */
  async #finish(segment: Segment): Promise<void> {
    if (this.#isTailDirty) await this.#truncateTail(segment);
    await this.#sync(segment);
  }

  async #sync(segment: Segment): Promise<void> {
    if (this.#options.durability === 'sync') await this.#options.files.sync(segment.file);
  }

  #write<T>(write: () => Promise<T>): Promise<T> {
    return this.#inTurn(write).catch((error) => {
      throw storageError(error);
    });
  }
}
