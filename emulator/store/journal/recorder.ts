import { COLLECTIONS, type Collection } from '../collections.js';
import type { Recorder } from '../engine.js';
import { type IndexKeys, indexKeys } from '../index/index-keys.js';
import type { TermHasher } from '../index/term-hash.js';
import type { Logger } from '../logger.js';
import type { Operation } from '../operation.js';
import type { Written } from '../place.js';
import type { CollectionName } from '../records.js';
import type { Sealing } from '../sealing.js';
import type { Housekeeping } from './housekeeping.js';
import type { Journal } from './journal.js';
import { type ClearLine, formatLine, formatPut, type Numbered } from './line.js';

export interface RecorderOptions {
  journal: Journal;
  housekeeping: Housekeeping;
  hasher: TermHasher;
  sealing: Sealing;
  logger: Logger;
  /** Called when everything is written and forgotten. */
  onClose(): Promise<void>;
}

/** Writes operations as lines of the journal. */
export class JournalRecorder implements Recorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  async write(commits: Operation[][], durable: boolean): Promise<Written[]> {
    const { journal, housekeeping } = this.#options;
    const [first] = commits[0] ?? [];
    const clearsAll = first?.op === 'clear' && first.tenantId === undefined;
    // Whatever stood before is then in files that can be deleted whole.
    if (clearsAll) await journal.roll();
    const lines: Line[] = [];
    for (const operations of commits) {
      for (let at = 0; at < operations.length; at += 1) lines.push(this.#line(operations, at));
    }
    const places: Written[] = await journal.append(
      lines.map(({ text }) => text),
      durable,
    );
    if (clearsAll) housekeeping.forgetAllSegmentsBefore(places[0]?.segment ?? 0);
    lines.forEach(({ operation, keys }, i) => {
      const place = places[i] as Written;
      if (keys !== undefined) place.keys = keys;
      housekeeping.written(operation, place);
    });
    return places;
  }

  applied(revision: number): void {
    this.#options.housekeeping.applied(revision);
  }

  lost(entries: number, error: unknown): void {
    this.#options.logger.warn(`${entries} entries of the audit log could not be written: ${String(error)}`);
  }

  undisturbed<T>(task: () => Promise<T>): Promise<T> {
    return this.#options.housekeeping.undisturbed(task);
  }

  async close(): Promise<void> {
    await this.#options.housekeeping.close();
    await this.#options.journal.close();
    await this.#options.onClose();
  }

  #line(operations: Operation[], at: number): Line {
    const operation = operations[at] as Operation;
    const numbered = (rev: number) =>
      operations.length === 1 ? { rev } : { rev, part: [at, operations.length] as [number, number] };
    if (operation.op === 'put') return this.#putLine(operation, numbered(operation.record.revision));
    if (operation.op === 'clear') {
      return { operation, text: formatLine(clearLine(operation.tenantId, numbered(operation.revision))) };
    }
    const { collection, tenantId, id, revision } = operation;
    return {
      operation,
      text: formatLine({ ...numbered(revision), remove: collection, tenant: tenantId, id }),
    };
  }

  #putLine(operation: Extract<Operation, { op: 'put' }>, numbered: Numbered): Line {
    const { collection: name, tenantId, record } = operation;
    const { hasher, sealing } = this.#options;
    const collection = COLLECTIONS[name] as Collection<CollectionName>;
    // What is answered by looking at each record needs no keys.
    const keys = collection.keepLast === undefined ? indexKeys(collection, hasher, record as never) : NO_KEYS;
    const text = formatPut({
      put: name,
      tenant: tenantId,
      id: record.id,
      numbered,
      keys,
      record: sealing.write(collection, record as never),
    });
    return { operation, text, keys };
  }
}

interface Line {
  operation: Operation;
  text: string;
  keys?: IndexKeys;
}

const NO_KEYS: IndexKeys = { created: 0, times: [], hashes: [] };

function clearLine(tenant: string | undefined, numbered: { rev: number }): ClearLine {
  return tenant === undefined
    ? { ...numbered, clear: 'everything' }
    : { ...numbered, clear: 'tenant', tenant };
}
