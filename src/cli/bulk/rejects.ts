import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import type { ServiceError } from '../../client/errors.js';
import { errorLines, withPath } from '../lib/errors.js';
import { REJECT_COLUMNS, type Reject } from './row.js';

export type BulkFormat = 'ndjson' | 'csv';

export function formatOf(format: string | undefined, file = ''): BulkFormat {
  if (format !== undefined) return format as BulkFormat;
  return file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

/** A file of rejected rows, in the format of the source with the reason added. Once corrected, it can be imported. */
export class RejectsFile {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly format: BulkFormat,
    /** False for devices and pipes such as /dev/stderr, which have no offsets and no length and keep their mode. */
    private readonly regular: boolean,
    public bytes: number,
  ) {}

  /** Truncates the file of an earlier run to its committed length. A shorter or missing one is continued as it is. */
  static async open(path: string, format: BulkFormat, bytes: number): Promise<RejectsFile> {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    const found = await file.stat();
    if (!found.isFile()) return new RejectsFile(path, file, format, false, bytes);
    const kept = Math.min(bytes, found.size);
    await file.chmod(0o600);
    await file.truncate(kept);
    return new RejectsFile(path, file, format, true, kept);
  }

  async append(rejects: readonly Reject[]): Promise<void> {
    if (rejects.length === 0) return;
    const rows = rejects.map(toFileRow);
    // All rows of a CSV source have the same columns.
    const csv = { columns: Object.keys(rows[0] ?? {}), header: this.bytes === 0 };
    const text =
      this.format === 'csv' ? stringify(rows, csv) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    await this.file.write(text, this.regular ? this.bytes : null, 'utf8').catch((error: unknown) => {
      throw withPath(error, this.path);
    });
    this.bytes += Buffer.byteLength(text);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** Adds the number and the reason; those of an earlier import are replaced. */
function toFileRow({ number, reason, original }: Reject): Record<string, unknown> {
  const { [REJECT_COLUMNS.row]: _row, [REJECT_COLUMNS.reason]: _reason, ...row } = original;
  return { ...row, [REJECT_COLUMNS.row]: number, [REJECT_COLUMNS.reason]: reason };
}

/** Property paths in the answer to a list of create requests start with the index of the entry: `37.data.number`. */
const ENTRY_PATH = /^(\d+)\.(.+)$/s;

/** Returns why the service refused entries of a list, by index, without values; undefined if it does not say which. */
export function refusedEntries({ status, problem }: ServiceError, count: number) {
  const byEntry = new Map<number, Record<string, string[]>>();
  for (const [path, messages] of Object.entries(problem.errors ?? {})) {
    const [, digits, property] = ENTRY_PATH.exec(path) ?? [];
    const index = Number(digits);
    if (property === undefined || index >= count) return undefined;
    const errors = byEntry.get(index) ?? {};
    errors[property] = messages;
    byEntry.set(index, errors);
  }
  if (byEntry.size === 0) return undefined;
  // A taken id has the same reason, whether it was sent alone or in a list.
  const reasonOf = (errors: Record<string, string[]>) =>
    status === 409 ? (problem.detail ?? problem.title) : errorLines(errors).join('; ');
  return new Map([...byEntry].map(([index, errors]) => [index, reasonOf(errors)]));
}

export function refusalReason({ problem }: ServiceError): string {
  return errorLines(problem.errors).join('; ') || problem.detail || problem.title;
}
