import { basename, dirname } from 'node:path';
import type { FileSystem, OpenMode } from '../../../emulator/store/files/file-system.js';

/** What a crash leaves of unsynced data: nothing, some of it, or, where only the process ends, what the system has in memory. */
type Unsynced = 'lost' | 'torn' | 'kept';

/** A fault at one operation of the disk. */
export type Fault =
  /** All later operations fail. */
  | { kind: 'crash'; unsynced: Unsynced }
  /** The operation fails, once. What a sync that fails was to write counts as written, and never reaches the disk. */
  | { kind: 'error'; code: 'ENOSPC' | 'EIO' }
  /** A write takes only a part of the bytes and returns their number. */
  | { kind: 'short' };

/** A fault at one reading of a file: it fails, or a bit is flipped, in the byte that many before the end. */
export type ReadFault = 'EIO' | { flip: number };

/** A file, without its name. */
interface Content {
  /** What a reader sees. */
  seen: Buffer;
  /** What a power cut leaves. */
  synced: Buffer;
  /** The sectors that were written since the last sync, whether it failed or not. */
  readonly dirty: Set<number>;
}

/** A change of names that no sync of the directory has covered yet: a name is given to a file, or taken away. */
type NameChange = ReadonlyMap<string, Content | undefined>;

const SECTOR = 512;

class Crashed extends Error {
  constructor() {
    super('the machine has stopped');
  }
}

/**
 * A disk in memory that fails at given operations. Whoever uses it must survive:
 *
 * - a write that takes only some of the bytes, or none because the disk is full
 * - an error of any operation, once; after that of a sync, the data counts as clean and only writing it again brings it to the disk
 * - a process that ends anywhere: what was written is there at the next start, and a power cut after that start takes what no sync
 *   has covered
 * - a power cut anywhere, within a sync too: of what was not synced, any sectors of any files are on the disk
 * - names that no sync of their directory has covered: each creation, rename and removal survives or not, independently of others,
 *   but in the order of each name
 * - a reading that fails, or has a flipped bit
 *
 * Operations that take long, in any order, or never return: `order.test.ts`.
 */
export class SimulatedDisk implements FileSystem {
  /** The number of operations so far that change something. */
  operations = 0;
  /** The number of files read so far. */
  reads = 0;
  /** By the number of the operation, or of the reading. */
  readonly faults: Map<number, Fault>;
  readonly readFaults = new Map<number, ReadFault>();
  #random: () => number;
  #crashed: Unsynced | undefined;
  #seen = new Map<string, Content>();
  #synced = new Map<string, Content>();
  #renamed: NameChange[] = [];
  readonly #open = new Map<number, Content>();
  #nextFile = 3;

  constructor(faults: Record<number, Fault> = {}, random: () => number = Math.random) {
    this.faults = new Map(Object.entries(faults).map(([at, fault]) => [Number(at), fault]));
    this.#random = random;
  }

  /** Puts a file on the disk, synced. */
  load(path: string, bytes: Buffer): void {
    const content = { seen: bytes, synced: bytes, dirty: new Set<number>() };
    this.#seen.set(path, content);
    this.#synced.set(path, content);
  }

  /** Returns the disk that the next start finds; without a crash it is unchanged. */
  afterCrash(unsynced: Unsynced = this.#crashed ?? 'kept'): SimulatedDisk {
    const next = new SimulatedDisk({}, this.#random);
    if (unsynced === 'kept') {
      next.#seen = new Map(this.#seen);
      next.#synced = new Map(this.#synced);
      next.#renamed = [...this.#renamed];
      return next;
    }
    const names = new Map(this.#synced);
    if (unsynced === 'torn') this.#applySome(names);
    for (const [path, content] of names) next.load(path, this.#surviving(content, unsynced));
    return next;
  }

  /** Returns the text of all files. */
  text(): string {
    return [...this.#seen.values()].map(({ seen }) => seen.toString('utf8')).join('\n');
  }

  get bytes(): number {
    return [...this.#seen.values()].reduce((sum, { seen }) => sum + seen.length, 0);
  }

  async open(path: string, mode: OpenMode): Promise<number> {
    if (this.#crashed) throw new Crashed();
    let content = this.#seen.get(path);
    if (mode === 'existing' && content === undefined) throw failure('ENOENT');
    if (content === undefined || mode === 'replace') {
      this.#step();
      content = { seen: Buffer.alloc(0), synced: Buffer.alloc(0), dirty: new Set() };
      this.#name(new Map([[path, content]]));
    }
    this.#nextFile += 1;
    this.#open.set(this.#nextFile, content);
    return this.#nextFile;
  }

  async write(file: number, bytes: Uint8Array, position: number): Promise<number> {
    const content = this.#content(file);
    const put = (taken: Uint8Array) => {
      const end = position + taken.length;
      for (let sector = Math.floor(position / SECTOR); sector * SECTOR < end; sector += 1)
        content.dirty.add(sector);
      content.seen = overwritten(content.seen, taken, position);
    };
    const fault = this.#step(() => put(bytes.subarray(0, this.#part(bytes.length))));
    const taken = fault?.kind === 'short' ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes;
    put(taken);
    return taken.length;
  }

  get hasCrashed(): boolean {
    return this.#crashed !== undefined;
  }

  async readFile(path: string): Promise<Buffer> {
    if (this.#crashed) throw new Crashed();
    const content = this.#seen.get(path);
    if (content === undefined) throw failure('ENOENT');
    this.reads += 1;
    const fault = this.readFaults.get(this.reads);
    if (fault === 'EIO') throw failure('EIO');
    const read = Buffer.from(content.seen);
    const at = typeof fault === 'object' ? read.length - 1 - fault.flip : -1;
    if (at >= 0) read.writeUInt8(read.readUInt8(at) ^ 4, at);
    return read;
  }

  async truncate(file: number, length: number): Promise<void> {
    const content = this.#content(file);
    this.#step();
    for (let sector = Math.floor(length / SECTOR); sector * SECTOR < content.seen.length; sector += 1)
      content.dirty.add(sector);
    content.seen = Buffer.from(content.seen.subarray(0, length));
  }

  async sync(file: number): Promise<void> {
    const content = this.#content(file);
    try {
      this.#step();
      content.synced = merged(content, content.seen.length, (sector) => content.dirty.has(sector));
    } finally {
      if (!this.#crashed) content.dirty.clear();
    }
  }

  async close(file: number): Promise<void> {
    this.#open.delete(file);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step();
    const content = this.#seen.get(from);
    if (content === undefined) throw failure('ENOENT');
    this.#name(
      new Map([
        [from, undefined],
        [to, content],
      ]),
    );
  }

  async remove(path: string): Promise<void> {
    this.#step();
    this.#name(new Map([[path, undefined]]));
  }

  async list(directory: string): Promise<string[]> {
    return [...this.#seen.keys()].filter((path) => dirname(path) === directory).map((path) => basename(path));
  }

  async makeDirectory(): Promise<void> {}

  async syncDirectory(directory: string): Promise<void> {
    this.#step();
    const isCovered = (change: NameChange) => [...change.keys()].every((path) => dirname(path) === directory);
    for (const change of this.#renamed.filter(isCovered)) apply(change, this.#synced);
    this.#renamed = this.#renamed.filter((change) => !isCovered(change));
  }

  #name(change: NameChange): void {
    apply(change, this.#seen);
    this.#renamed.push(change);
  }

  /** Applies some of the changes of names that were not synced. One that is lost takes the later ones of its names with it. */
  #applySome(names: Map<string, Content>): void {
    const lost = new Set<string>();
    for (const change of this.#renamed) {
      const paths = [...change.keys()];
      if (paths.some((path) => lost.has(path)) || this.#random() < 0.5)
        for (const path of paths) lost.add(path);
      else apply(change, names);
    }
  }

  #content(file: number): Content {
    const content = this.#open.get(file);
    if (this.#crashed || content === undefined) throw new Crashed();
    return content;
  }

  /** Counts an operation. Throws if it has a fault; `partly` does the part of it that a crash leaves. */
  #step(partly: () => void = () => {}): Fault | undefined {
    if (this.#crashed) throw new Crashed();
    this.operations += 1;
    const fault = this.faults.get(this.operations);
    if (fault?.kind === 'error') throw failure(fault.code);
    if (fault?.kind === 'crash') {
      partly();
      this.#crashed = fault.unsynced;
      throw new Crashed();
    }
    return fault;
  }

  #part(length: number): number {
    return Math.floor(this.#random() * (length + 1));
  }

  /** Returns a torn file: each sector that waits for a sync may be on the disk. */
  #surviving(content: Content, unsynced: Unsynced): Buffer {
    const { seen, synced, dirty } = content;
    if (unsynced === 'lost') return synced;
    const length =
      synced.length > seen.length || this.#random() < 0.5 ? seen.length : this.#between(synced, seen);
    return merged(content, length, (sector) => dirty.has(sector) && this.#random() < 0.5);
  }

  #between(synced: Buffer, seen: Buffer): number {
    return synced.length + this.#part(seen.length - synced.length);
  }
}

/** Fills the gap before the position with zeros. */
function overwritten(content: Buffer, bytes: Uint8Array, position: number): Buffer {
  const next = Buffer.alloc(Math.max(content.length, position + bytes.length));
  content.copy(next);
  next.set(bytes, position);
  return next;
}

/** Returns what is on the disk when some sectors were written to it; zeros where nothing ever was. */
function merged({ seen, synced }: Content, length: number, isWritten: (sector: number) => boolean): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += SECTOR) {
    const from = isWritten(at / SECTOR) ? seen : synced;
    if (at < from.length) from.copy(bytes, at, at, Math.min(at + SECTOR, length, from.length));
  }
  return bytes;
}

function apply(change: NameChange, names: Map<string, Content>): void {
  for (const [path, content] of change) {
    if (content) names.set(path, content);
    else names.delete(path);
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
