import { createReadStream, fstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { identifyFile } from '../../bulk/checkpoint.js';
import { readCsv } from '../../bulk/csv.js';
import { readNdjson } from '../../bulk/ndjson.js';
import type { BulkFormat } from '../../bulk/rejects.js';
import type { SourceRow } from '../../bulk/row.js';
import type { Context } from '../../command.js';
import { describeFileError, usageError } from '../../lib/errors.js';
import { decodeTextStream } from '../../lib/text-file.js';

export type Source = Awaited<ReturnType<typeof openSource>>;

const openFile = (path: string) => createReadStream(path, { highWaterMark: 1 << 18 });

/** Opens the source of an import. It has no path if it can be read only once. */
export async function openSource(source: string, { settings, signal }: Context) {
  if (source === '-') {
    const stats = fstatSync(process.stdin.fd);
    const identity = stats.isFile() ? identifyFile(stats) : undefined;
    return { stream: addAbortSignal(signal, process.stdin), path: undefined, identity };
  }
  const path = resolve(settings.cwd, source);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${source} cannot be read: ${describeFileError(error.code)}.`);
  });
  if (found.isDirectory()) throw usageError(`${source} is a directory.`);
  const stream = addAbortSignal(signal, openFile(path));
  if (!found.isFile()) return { stream, path: undefined, identity: undefined };
  return { stream, path, identity: identifyFile(found) };
}

export function readRows(
  stream: Readable,
  format: BulkFormat,
  type: string | undefined,
): AsyncIterable<SourceRow> {
  return format === 'csv' ? readCsv(stream, type) : readNdjson(stream);
}

const CSV_PARTS = /"|[\r\n]+|[^"\r\n]+/g;
const NDJSON_PARTS = /\n|[^\n]+/g;

/** Counts rows by the line ends outside of quotes; about as many as the reader reads if quotes are misplaced. */
export async function countSourceRows(
  { path }: Source,
  format: BulkFormat,
  { signal }: Context,
): Promise<number | undefined> {
  if (path === undefined) return undefined;
  const isCsv = format === 'csv';
  let rows = isCsv ? -1 : 0;
  let isQuoted = false;
  let isEmpty = true;
  const endRow = () => {
    if (!isEmpty) rows++;
    isEmpty = true;
  };
  for await (const text of decodeTextStream(addAbortSignal(signal, openFile(path)), 'The source'))
    for (const [part] of text.matchAll(isCsv ? CSV_PARTS : NDJSON_PARTS)) {
      if (isCsv && part === '"') isQuoted = !isQuoted;
      if (!isQuoted && /^[\r\n]/.test(part)) endRow();
      else if (isCsv || part.trim() !== '') isEmpty = false;
    }
  endRow();
  return Math.max(0, rows);
}
