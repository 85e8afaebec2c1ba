import { basename, dirname } from 'node:path';
import type { FileSystem, OpenMode } from '../../../emulator/store/files/file-system.js';

/** What a crash leaves of unsynced data: nothing, everything, or some of it. */
type Unsynced = 'lost' | 'kept' | 'torn';

/** A fault at one operation of the disk. */
export type Fault =
  /** The machine stops: all later operations fail. */
  | { kind: 'crash'; unsynced: Unsynced }
  /** The operation fails, once. */
  | { kind: 'error'; code: 'ENOSPC' | 'EIO' }
  /** A write takes only a part of the bytes and returns their number. */
  | { kind: 'short' };

interface Content {
  /** What a reader sees. */
  seen: Buffer;
  /** What a power cut leaves. */
  synced: Buffer;
}

const SECTOR = 512;

class Crashed extends Error {
  constructor() {
    super('the machine has stopped');
  }
}

/** A disk in memory that tells written from synced data and fails at given operations. */
export class SimulatedDisk implements FileSystem {
  /** The number of operations so far that change something. */
  operations = 0;
  readonly #faults: Map<number, Fault>;
  #random: () => number;
  #crashed: Unsynced | undefined;
  #seen = new Map<string, Content>();
  #synced = new Map<string, Content>();
  readonly #open = new Map<number, Content>();
  #nextFile = 3;

  constructor(faults: Record<number, Fault> = {}, random: () => number = Math.random) {
    this.#faults = new Map(Object.entries(faults).map(([at, fault]) => [Number(at), fault]));
    this.#random = random;
  }

  /** Puts a file on the disk, synced. */
  load(path: string, bytes: Buffer): void {
    const content = { seen: bytes, synced: bytes };
    this.#seen.set(path, content);
    this.#synced.set(path, content);
  }

  /** Returns the disk that the next start finds; without a crash it is unchanged. */
  afterCrash(unsynced: Unsynced = this.#crashed ?? 'kept'): SimulatedDisk {
    const next = new SimulatedDisk({}, this.#random);
    for (const [path, content] of unsynced === 'lost' ? this.#synced : this.#seen) {
      next.load(path, this.#surviving(content, unsynced));
    }
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
      content = { seen: Buffer.alloc(0), synced: Buffer.alloc(0) };
      this.#seen.set(path, content);
    }
    this.#nextFile += 1;
    this.#open.set(this.#nextFile, content);
    return this.#nextFile;
  }

  async write(file: number, bytes: Uint8Array, position: number): Promise<number> {
    const content = this.#content(file);
    const put = (taken: Uint8Array) => {
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
    return Buffer.from(content.seen);
  }

  async truncate(file: number, length: number): Promise<void> {
    const content = this.#content(file);
    this.#step();
    content.seen = Buffer.from(content.seen.subarray(0, length));
  }

  async sync(file: number): Promise<void> {
    const content = this.#content(file);
    this.#step();
    content.synced = content.seen;
  }

  async close(file: number): Promise<void> {
    this.#open.delete(file);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step();
    const content = this.#seen.get(from);
    if (content === undefined) throw failure('ENOENT');
    this.#seen.delete(from);
    this.#seen.set(to, content);
  }

  async remove(path: string): Promise<void> {
    this.#step();
    this.#seen.delete(path);
  }

  async list(directory: string): Promise<string[]> {
    return [...this.#seen.keys()].filter((path) => dirname(path) === directory).map((path) => basename(path));
  }

  async makeDirectory(): Promise<void> {}

  async syncDirectory(directory: string): Promise<void> {
    this.#step();
    for (const path of [...this.#synced.keys()]) if (dirname(path) === directory) this.#synced.delete(path);
    for (const [path, content] of this.#seen)
      if (dirname(path) === directory) this.#synced.set(path, content);
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
    const fault = this.#faults.get(this.operations);
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

  /** Returns a torn file: each sector is either synced or seen content, and zeros where nothing was written. */
  #surviving({ seen, synced }: Content, unsynced: Unsynced): Buffer {
    if (unsynced === 'lost') return synced;
    if (unsynced === 'kept') return seen;
    const length =
      synced.length > seen.length || this.#random() < 0.5 ? seen.length : this.#between(synced, seen);
    const mixed = Buffer.alloc(length);
    for (let at = 0; at < length; at += SECTOR) {
      const from = this.#random() < 0.5 ? seen : synced;
      if (at < from.length) from.copy(mixed, at, at, Math.min(at + SECTOR, length, from.length));
    }
    return mixed;
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

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
