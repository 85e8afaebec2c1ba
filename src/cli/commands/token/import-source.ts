import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { readCsv } from '../../bulk/csv.js';
import { readNdjson } from '../../bulk/ndjson.js';
import type { BulkFormat } from '../../bulk/rejects.js';
import type { SourceRow } from '../../bulk/row.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';

/** The source of the rows. */
export interface Source {
  stream: Readable;
  /** Absolute; undefined for standard input. */
  path: string | undefined;
  bytes: number | undefined;
  identity: { bytes: number; modified_ms: number } | undefined;
}

export async function openSource(source: string, { settings }: Context): Promise<Source> {
  if (source === '-')
    return { stream: process.stdin, path: undefined, bytes: undefined, identity: undefined };
  const path = resolve(settings.cwd, source);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${source} cannot be read: ${error.code}.`);
  });
  if (found.isDirectory()) throw usageError(`${source} is a directory.`);
  const stream = createReadStream(path, { highWaterMark: 1 << 18 });
  const { size, mtimeMs } = found;
  // The size of a pipe or device is unknown.
  if (!found.isFile()) return { stream, path: undefined, bytes: undefined, identity: undefined };
  return { stream, path, bytes: size, identity: { bytes: size, modified_ms: Math.floor(mtimeMs) } };
}

export function formatOf({ format, source }: { format?: string | undefined; source: string }): BulkFormat {
  if (format !== undefined) return format as BulkFormat;
  return source.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

/** Reads the rows of a source, and estimates the bytes of those that are imported, which reading is ahead of. */
export class RowReader {
  #read = 0;
  readonly #stream: Readable;

  constructor(
    { stream }: Source,
    private readonly format: BulkFormat,
    signal: AbortSignal,
  ) {
    this.#stream = addAbortSignal(signal, stream);
  }

  async *rows(type: string | undefined): AsyncGenerator<SourceRow, void, void> {
    const rows = this.format === 'csv' ? readCsv(this.#stream, type) : readNdjson(this.#stream);
    for await (const row of rows) {
      this.#read = row.number;
      yield row;
    }
  }

  bytesOf(rows: number): number {
    const { bytesRead = 0 } = this.#stream as Partial<ReadStream>;
    return bytesRead * Math.min(1, rows / Math.max(1, this.#read));
  }
}
