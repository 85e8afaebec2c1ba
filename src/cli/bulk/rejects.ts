import { type FileHandle, open, stat } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { withPath } from '../lib/errors.js';
import { REJECT_COLUMNS, type Reject } from './row.js';

export type BulkFormat = 'ndjson' | 'csv';

/** Returns the format of `--format`, else that of the name of a file. */
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
    /** The length of the file. */
    public bytes: number,
  ) {}

  /**
   * Opens a file. @param bytes Committed length of an earlier run's file; the rest is truncated and written again. A file
   * that is shorter, or has been removed since, is continued as it is.
   */
  static async open(path: string, format: BulkFormat, bytes: number): Promise<RejectsFile> {
    const file = await open(path, bytes > 0 && (await exists(path)) ? 'r+' : 'w', 0o600);
    const found = await file.stat();
    if (!found.isFile()) return new RejectsFile(path, file, format, false, bytes);
    const kept = Math.min(bytes, found.size);
    await file.chmod(0o600);
    await file.truncate(kept);
    return new RejectsFile(path, file, format, true, kept);
  }

  /** Appends rows. */
  async append(rejects: readonly Reject[]): Promise<void> {
    if (rejects.length === 0) return;
    const rows = rejects.map(toFileRow);
    const text =
      this.format === 'csv' ? this.#formatCsv(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    await this.file.write(text, this.regular ? this.bytes : null, 'utf8').catch((error: unknown) => {
      throw withPath(error, this.path);
    });
    this.bytes += Buffer.byteLength(text);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** All rows of a CSV source have the same columns. */
  #formatCsv(rows: readonly Record<string, unknown>[]): string {
    return stringify([...rows], { columns: Object.keys(rows[0] ?? {}), header: this.bytes === 0 });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Adds the number and the reason; those of an earlier import are replaced. */
function toFileRow({ number, reason, original }: Reject): Record<string, unknown> {
  const { [REJECT_COLUMNS.row]: _row, [REJECT_COLUMNS.reason]: _reason, ...row } = original;
  return { ...row, [REJECT_COLUMNS.row]: number, [REJECT_COLUMNS.reason]: reason };
}
