import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { withPath } from '../lib/file-error.js';
import { REJECT_COLUMNS, type Reject } from './row.js';

export type BulkFormat = 'ndjson' | 'csv';

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

  /** @param bytes Committed length of an earlier run's file; the rest is truncated and written again. */
  static async open(path: string, format: BulkFormat, bytes: number): Promise<RejectsFile> {
    const file = await open(path, bytes > 0 ? 'r+' : 'w', 0o600);
    const regular = (await file.stat()).isFile();
    if (regular) {
      await file.chmod(0o600);
      await file.truncate(bytes);
    }
    return new RejectsFile(path, file, format, regular, bytes);
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

/** Adds the number and the reason; those of an earlier import are replaced. */
function toFileRow({ number, reason, original }: Reject): Record<string, unknown> {
  const { [REJECT_COLUMNS.row]: _row, [REJECT_COLUMNS.reason]: _reason, ...row } = original;
  return { ...row, [REJECT_COLUMNS.row]: number, [REJECT_COLUMNS.reason]: reason };
}
