import { Low } from 'lowdb';
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from './collections.js';
import type { RecordCipher } from './encryption.js';
import { DamagedError } from './errors.js';
import { DurableJsonFile } from './files/durable-json-file.js';
import type { FileSystem } from './files/file-system.js';
import type { Manifest } from './manifest.js';
import type { Operation } from './operation.js';
import type { RecordLocation } from './record-location.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Tables } from './tables/tables.js';

/** Collections that are few and small, and kept readable in one file. */
export const DOCUMENT_COLLECTIONS = COLLECTION_NAMES.filter((name) => COLLECTIONS[name].kind === 'document');

/** What documents.json holds: the small collections as of a revision, and a copy of the manifest for repairs. */
export type DocumentsContent = { revision: number; store?: Manifest } & { [N in CollectionName]?: unknown[] };

export interface DocumentsOptions {
  files: FileSystem;
  path: string;
  manifest: Manifest;
  tables: Tables;
  sealing: RecordCipher;
}

/**
 * Tenants, applications, reactors and settings. A change of them is durable once the journal has it; documents.json
 * follows a moment later, and then the journal's line is forgotten.
 */
export class Documents {
  readonly #options: DocumentsOptions;
  readonly #file: Low<DocumentsContent>;
  /** Where the journal has the changes that the file does not, by revision. */
  readonly #places = new Map<number, RecordLocation>();
  #changed = 0;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    const empty: DocumentsContent = { revision: 0 };
    this.#file = new Low(new DurableJsonFile<DocumentsContent>(options.files, options.path), empty);
  }

  /** The file holds everything up to here. */
  get revision(): number {
    return this.#file.data.revision;
  }

  get isDirty(): boolean {
    return this.#changed > this.revision;
  }

  /** @throws DamagedError */
  async load(): Promise<void> {
    await this.#file.read();
    this.#changed = this.revision;
    for (const name of DOCUMENT_COLLECTIONS) {
      for (const document of this.#file.data[name] ?? []) this.#take(name, document);
    }
  }

  #take(name: CollectionName, document: unknown): void {
    const { path, sealing, tables } = this.#options;
    try {
      const record = sealing.read(JSON.stringify(document)) as Stored<Records[CollectionName]>;
      const tenantId = (COLLECTIONS[name] as Collection<CollectionName>).tenantOf(record as never);
      const was = tables.of(name, tenantId)?.get(record.id);
      tables.apply({ op: 'put', collection: name, tenantId, record, was } as Operation);
    } catch (cause) {
      throw new DamagedError(path, 1, `a record of "${name}" is not what was written`, { cause });
    }
  }

  changed(revision: number, place?: RecordLocation): void {
    this.#changed = Math.max(this.#changed, revision);
    if (place !== undefined) this.#places.set(revision, place);
  }

  /** Brings the file to a revision, which must be the one the tables are at. */
  async flush(revision: number, bury: (place: RecordLocation) => void): Promise<void> {
    if (!this.isDirty) return;
    await this.#write(revision);
    for (const [changedAt, place] of this.#places) {
      if (changedAt > revision) continue;
      this.#places.delete(changedAt);
      bury(place);
    }
  }

  placeOf(revision: number): RecordLocation | undefined {
    return this.#places.get(revision);
  }

  move(revision: number, to: RecordLocation): boolean {
    return this.#places.has(revision) && this.#places.set(revision, to) !== undefined;
  }

  forgetPlaces(): void {
    this.#places.clear();
  }

  async #write(revision: number): Promise<void> {
    const content: DocumentsContent = { revision, store: this.#options.manifest };
    for (const name of DOCUMENT_COLLECTIONS) content[name] = this.#read(name);
    const before = this.#file.data;
    this.#file.data = content;
    try {
      await this.#file.write();
    } catch (error) {
      this.#file.data = before;
      throw error;
    }
  }

  #read<N extends CollectionName>(name: N): unknown[] {
    const collection: Collection<N> = COLLECTIONS[name];
    const pages = [...this.#options.tables.all(name)].map((table) =>
      table.page(undefined, 0, Number.POSITIVE_INFINITY),
    );
    return pages.flatMap(({ records }) =>
      records.map((record) => JSON.parse(this.#options.sealing.write(collection, record))),
    );
  }
}
