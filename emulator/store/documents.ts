import { join } from 'node:path';
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from './collections.js';
import type { RecordCipher } from './encryption.js';
import { DamagedError } from './errors.js';
import { DurableJsonFile } from './files/durable-json-file.js';
import type { FileSystem } from './files/file-system.js';
import { DOCUMENTS_FILE } from './files/layout.js';
import type { Manifest } from './manifest.js';
import type { RecordLocation } from './record-location.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { Tables } from './tables/tables.js';

/** Collections that are few and small, and stored readably in one file. */
export const DOCUMENT_COLLECTIONS = COLLECTION_NAMES.filter((name) => COLLECTIONS[name].kind === 'document');

/** What documents.json holds: the small collections as of a revision, and a copy of the manifest for repairs. */
export type DocumentsContent = { revision: number; store?: Manifest } & { [N in CollectionName]?: unknown[] };

export interface DocumentsOptions {
  files: FileSystem;
  dataDir: string;
  manifest: Manifest;
  tables: Tables;
  cipher: RecordCipher;
}

/**
 * Tenants, applications, reactors and settings. A change of them is durable once the journal has it; documents.json follows
 * a moment later, and then the line in the journal is erased.
 */
export class Documents {
  readonly #options: DocumentsOptions;
  readonly #path: string;
  readonly #file: DurableJsonFile<DocumentsContent>;
  /** The lines of the journal with changes that the file lacks, by revision. */
  readonly #lines = new Map<number, RecordLocation>();
  #lastChange = 0;
  #revision = 0;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, DOCUMENTS_FILE);
    this.#file = new DurableJsonFile(options.files, this.#path);
  }

  /** The file holds everything up to here. */
  get revision(): number {
    return this.#revision;
  }

  /** @throws DamagedError */
  async load(): Promise<void> {
    const content = await this.#file.read();
    if (content === null) return;
    this.#revision = content.revision;
    this.#lastChange = content.revision;
    for (const name of DOCUMENT_COLLECTIONS) {
      for (const document of content[name] ?? []) this.#load(name, document);
    }
  }

  #load(collection: CollectionName, document: unknown): void {
    const { cipher, tables } = this.#options;
    try {
      const record = cipher.decrypt(JSON.stringify(document));
      const tenantId = (COLLECTIONS[collection] as Collection<CollectionName>).tenantOf(record);
      const { revision } = record;
      tables.apply({
        op: 'put',
        collection,
        tenantId,
        revision,
        record,
        keys: tables.keysOf(collection, record),
      });
    } catch (cause) {
      throw new DamagedError(this.#path, 1, `a record of "${collection}" cannot be read`, { cause });
    }
  }

  /** Says that the journal has a change of a document, or (without a line) that documents were cleared. */
  noteChange(revision: number, line?: RecordLocation): void {
    this.#lastChange = Math.max(this.#lastChange, revision);
    if (line !== undefined) this.#lines.set(revision, line);
  }

  /** The line of a change that the file lacks. */
  lineOf(revision: number): RecordLocation | undefined {
    return this.#lines.get(revision);
  }

  /** Forgets the lines of the journal: their segments are obsolete. */
  forgetLines(): void {
    this.#lines.clear();
  }

  /** Brings the file to a revision, which must be that of the tables. Returns the lines that are no longer needed. */
  async flush(revision: number): Promise<RecordLocation[]> {
    if (this.#lastChange <= this.#revision) return [];
    const content: DocumentsContent = { revision, store: this.#options.manifest };
    for (const name of DOCUMENT_COLLECTIONS) content[name] = this.#documentsOf(name);
    await this.#file.write(content);
    this.#revision = revision;
    const written = [...this.#lines].filter(([changedAt]) => changedAt <= revision);
    for (const [changedAt] of written) this.#lines.delete(changedAt);
    return written.map(([, line]) => line);
  }

  #documentsOf<N extends CollectionName>(name: N): unknown[] {
    const collection: Collection<N> = COLLECTIONS[name];
    const { cipher, tables } = this.#options;
    const records: Stored<Records[N]>[] = [...tables.all(name)].flatMap(
      (table) => table.page(undefined, 0, Number.POSITIVE_INFINITY).records,
    );
    return records.map((record) => cipher.encrypt(collection, record));
  }
}
