import { join } from 'node:path';
import { COLLECTION_NAMES, COLLECTIONS, collectionOf } from './collections.js';
import type { RecordCipher } from './encryption.js';
import { DamagedError, RESTORE } from './errors.js';
import { readJsonFile, writeJsonFile } from './files/atomic-file.js';
import type { FileSystem } from './files/file-system.js';
import { DOCUMENTS_FILE } from './files/layout.js';
import type { LineLocation } from './line-location.js';
import type { CollectionName, Records, Stored } from './records.js';
import type { StoreHeader } from './store-header.js';
import type { Tables } from './tables/tables.js';

/** Collections that are few and small, and stored readably in one file. */
export const DOCUMENT_COLLECTIONS = COLLECTION_NAMES.filter((name) => COLLECTIONS[name].kind === 'document');

/** What documents.json holds: the small collections as of a revision, and a copy of the store header for repairs. */
export type DocumentsContent = { revision: number; store?: StoreHeader } & {
  [N in CollectionName]?: unknown[];
};

interface DocumentsOptions {
  files: FileSystem;
  dataDir: string;
  header: StoreHeader;
  tables: Tables;
  cipher: RecordCipher;
}

/**
 * Tenants, applications, reactors, proxies, webhooks and settings. A change of them is durable once the journal has it; documents.json follows
 * a moment later, and then the line in the journal is erased.
 */
export class Documents {
  readonly #options: DocumentsOptions;
  readonly #path: string;
  /** The lines of the journal with changes that the file lacks, by revision. */
  readonly #lines = new Map<number, LineLocation>();
  #lastChange = 0;
  #revision = 0;
  /** The copy of the store header in the file, as JSON. */
  #savedHeader: string;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, DOCUMENTS_FILE);
    this.#savedHeader = JSON.stringify(options.header);
  }

  /** The file holds everything up to here. */
  get revision(): number {
    return this.#revision;
  }

  /** @throws DamagedError */
  async load(): Promise<void> {
    const { files, cipher, tables } = this.#options;
    const content = await readJsonFile<DocumentsContent>(files, this.#path);
    if (content === undefined) return;
    this.#revision = content.revision;
    this.#lastChange = content.revision;
    this.#savedHeader = JSON.stringify(content.store);
    for (const collection of DOCUMENT_COLLECTIONS) {
      for (const document of content[collection] ?? []) {
        try {
          const open = document as Records[CollectionName];
          const tenantId = collectionOf(collection).tenantOf(open);
          const record = cipher.decrypt({ collection, tenantId, id: open.id }, open);
          tables.put(collection, tenantId, record as never);
        } catch (cause) {
          const what = `a record of "${collection}" is not what was written`;
          throw new DamagedError(this.#path, 1, what, { cause, advice: RESTORE });
        }
      }
    }
  }

  /** Says that the journal has a change of a document, or (without a line) that documents were cleared. */
  noteChange(revision: number, line?: LineLocation): void {
    this.#lastChange = Math.max(this.#lastChange, revision);
    if (line !== undefined) this.#lines.set(revision, line);
  }

  /** The line of a change that the file lacks. */
  lineOf(revision: number): LineLocation | undefined {
    return this.#lines.get(revision);
  }

  /** Forgets the lines of the journal: their segments are obsolete. */
  forgetLines(): void {
    this.#lines.clear();
  }

  /** Brings the file to a revision, which must be that of the tables. Returns the lines that are no longer needed. */
  async flush(revision: number): Promise<LineLocation[]> {
    const { files, header } = this.#options;
    const savedHeader = JSON.stringify(header);
    if (this.#lastChange <= this.#revision && this.#savedHeader === savedHeader) return [];
    const content: DocumentsContent = { revision, store: header };
    for (const name of DOCUMENT_COLLECTIONS) content[name] = this.#documentsOf(name);
    await writeJsonFile(files, this.#path, content);
    this.#revision = revision;
    this.#savedHeader = savedHeader;
    const written = [...this.#lines].filter(([changedAt]) => changedAt <= revision);
    for (const [changedAt] of written) this.#lines.delete(changedAt);
    return written.map(([, line]) => line);
  }

  #documentsOf<N extends CollectionName>(name: N): unknown[] {
    const { cipher, tables } = this.#options;
    const records: Stored<Records[N]>[] = [...tables.all(name)].flatMap(
      (table) => table.page(undefined, 0, Number.POSITIVE_INFINITY).records,
    );
    return records.map((record) => cipher.encrypt(name, record));
  }
}
