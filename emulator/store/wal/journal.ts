import { storageError } from '../errors.js';
import { type FileSystem, writeFully } from '../files/file-system.js';
import type { RecordLocation } from '../record-location.js';
import { type Line, writeChecksum } from './line-codec.js';
import { markObsolete, SEGMENT_BYTES, type Segment, segmentPath } from './segment.js';

export interface JournalOptions {
  files: FileSystem;
  directory: string;
  /** `os` leaves it to the system when the bytes reach the disk. */
  durability: 'sync' | 'os';
}

const BLANK = 0x20;
/** Bytes that a character of a text takes at most. */
const BYTES_PER_CHARACTER = 3;

/**
 * The files of the journal: lines are added at the end of the active segment, read from anywhere, and blanked where they
 * stand. One writer at a time: calls wait for each other.
 */
export class Journal {
  readonly segments = new Map<number, Segment>();
  readonly #options: JournalOptions;
  #active: Segment | undefined;
  #nextId = 1;
  /** Bytes of a failed append may stand behind the end. */
  #untidy = false;
  #turn: Promise<unknown> = Promise.resolve();
  /** Where lines are put together, one append at a time: fresh memory would cost more than what is written to it. */
  #room = Buffer.allocUnsafe(64 * 1024);

  constructor(options: JournalOptions, segments: Segment[]) {
    this.#options = options;
    for (const segment of segments) this.adopt(segment);
    this.#active = segments.filter(({ packed }) => !packed).at(-1);
  }

  get activeId(): number | undefined {
    return this.#active?.id;
  }

  /** Seals lines and puts them on the disk, at the end; all of them or none. */
  append(lines: Line[]): Promise<RecordLocation[]> {
    return this.#inTurn(async () => {
      const segment = await this.#ready();
      const room = this.#roomFor(lines);
      const places: RecordLocation[] = [];
      let end = 0;
      for (const line of lines) {
        const start = end;
        for (const piece of line) end += room.write(piece, end);
        writeChecksum(room, start, end - 1);
        places.push({ segment: segment.id, offset: segment.size + start, length: end - start - 1 });
      }
      const bytes = room.subarray(0, end);
      try {
        await writeFully(this.#options.files, segment.file, bytes, segment.size, this.#isSynced);
      } catch (error) {
        this.#untidy = true;
        await this.#truncateTail(segment).catch(() => {});
        throw error;
      }
      segment.size += bytes.length;
      return places;
    });
  }

  /**
   * Puts on the disk what a process that was killed may have left in the system's cache. It counts from now on, so what is
   * written or forgotten because of it must not get there first.
   */
  async settle(): Promise<void> {
    await Promise.all([...this.segments.values()].map((segment) => this.#sync(segment)));
    await this.#options.files.syncDirectory(this.#options.directory);
  }

  /** Closes the active segment: what comes next begins a new one. */
  rotate(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#begin();
    });
  }

  /** The bytes of a line, without its line feed. */
  read(place: RecordLocation): Buffer {
    const segment = this.segments.get(place.segment);
    const bytes = Buffer.allocUnsafe(place.length);
    try {
      if (
        segment === undefined ||
        this.#options.files.read(segment.file, bytes, place.offset) !== place.length
      ) {
        throw new Error('cut short');
      }
    } catch (error) {
      throw storageError(error);
    }
    return bytes;
  }

  /** Overwrites lines with spaces and puts that on the disk. */
  async erase(places: RecordLocation[]): Promise<void> {
    const touched = new Set<Segment>();
    for (const { segment: id, offset, length } of places) {
      const segment = this.segments.get(id);
      if (segment === undefined) continue;
      await writeFully(this.#options.files, segment.file, Buffer.alloc(length, BLANK), offset);
      touched.add(segment);
    }
    for (const segment of touched) await this.#sync(segment);
  }

  /** An id for a new segment, taken from now on, and the path it is to have. */
  reserve(packed: boolean): { id: number; path: string } {
    const id = this.#nextId;
    this.#nextId += 1;
    return { id, path: segmentPath(this.#options.directory, id, packed) };
  }

  adopt(segment: Segment): void {
    this.segments.set(segment.id, segment);
    this.#nextId = Math.max(this.#nextId, segment.id + 1);
  }

  /** Deletes segments of which nothing counts any more. Those that cannot be deleted now are void, to be tried again. */
  async discard(segments: Segment[]): Promise<void> {
    const { files, directory } = this.#options;
    for (const segment of segments) markObsolete(segment);
    // First the one that took what counted.
    await files.syncDirectory(directory);
    for (const { path } of segments) await files.remove(path);
    await files.syncDirectory(directory);
    for (const { id, file } of segments) {
      this.segments.delete(id);
      await files.close(file);
    }
  }

  async close(): Promise<void> {
    await this.#turn;
    for (const { file } of this.segments.values()) await this.#options.files.close(file);
    this.segments.clear();
  }

  get #isSynced(): boolean {
    return this.#options.durability === 'sync';
  }

  #roomFor(lines: Line[]): Buffer {
    let characters = 0;
    for (const line of lines) for (const piece of line) characters += piece.length;
    const size = characters * BYTES_PER_CHARACTER;
    if (size <= this.#room.length) return this.#room;
    const room = Buffer.allocUnsafe(size);
    if (size <= SEGMENT_BYTES) this.#room = room;
    return room;
  }

  async #ready(): Promise<Segment> {
    const active = this.#active;
    if (active === undefined || active.size >= SEGMENT_BYTES) return this.#begin();
    if (this.#untidy) await this.#truncateTail(active);
    return active;
  }

  /** What a failed append left must go, from the disk too, before anything is written in its place. */
  async #truncateTail(segment: Segment): Promise<void> {
    await this.#options.files.truncate(segment.file, segment.size);
    await this.#sync(segment);
    this.#untidy = false;
  }

  async #begin(): Promise<Segment> {
    const { files, directory } = this.#options;
    if (this.#active !== undefined) await this.#finish(this.#active);
    const { id, path } = this.reserve(false);
    const file = await files.open(path, 'replace');
    try {
      await files.syncDirectory(directory);
    } catch (error) {
      // Left there it would pass for the active one at the next start, and no torn tail be expected where one may be.
      await files.close(file);
      await files.remove(path);
      throw error;
    }
    const segment: Segment = { id, path, file, size: 0, dead: 0, packed: false, lastRemoval: 0 };
    this.adopt(segment);
    this.#active = segment;
    return segment;
  }

  /** Only the active segment may end torn: what others hold has reached the disk. */
  async #finish(segment: Segment): Promise<void> {
    if (this.#untidy) await this.#truncateTail(segment);
    await this.#sync(segment);
  }

  async #sync(segment: Segment): Promise<void> {
    if (this.#isSynced) await this.#options.files.sync(segment.file);
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(task).catch((error) => {
      throw storageError(error);
    });
    this.#turn = result.catch(() => {});
    return result;
  }
}
