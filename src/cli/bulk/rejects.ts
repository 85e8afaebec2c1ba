import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { REJECT_COLUMNS, type Reject } from './row.js';

export type BulkFormat = 'ndjson' | 'csv';

/** The rows that were refused, in the source's own format with the reason added; corrected, the file can be imported. */
export class RejectsFile {
  private constructor(
    private readonly file: FileHandle,
    private readonly format: BulkFormat,
    /** A device or a pipe, /dev/null or /dev/stderr, has no places and no length, and its mode is not ours. */
    private readonly regular: boolean,
    /** Its length. */
    public bytes: number,
  ) {}

  /** @param bytes how much of an earlier run's file is certain; the rest is written again. */
  static async open(path: string, format: BulkFormat, bytes: number): Promise<RejectsFile> {
    const file = await open(path, bytes > 0 ? 'r+' : 'w', 0o600);
    const regular = (await file.stat()).isFile();
    if (regular) {
      await file.chmod(0o600);
      await file.truncate(bytes);
    }
    return new RejectsFile(file, format, regular, bytes);
  }

  async add(rejects: readonly Reject[]): Promise<void> {
    if (rejects.length === 0) return;
    const rows = rejects.map(toRow);
    const text =
      this.format === 'csv' ? this.#csv(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    await this.file.write(text, this.regular ? this.bytes : null, 'utf8');
    this.bytes += Buffer.byteLength(text);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Every row of a CSV source has the same columns. */
  #csv(rows: readonly Record<string, unknown>[]): string {
    return stringify([...rows], { columns: Object.keys(rows[0] ?? {}), header: this.bytes === 0 });
  }
}

/** The reason of an earlier import makes way for the new one. */
function toRow({ number, reason, original }: Reject): Record<string, unknown> {
  const { [REJECT_COLUMNS.row]: _row, [REJECT_COLUMNS.reason]: _reason, ...row } = original;
  return { ...row, [REJECT_COLUMNS.row]: number, [REJECT_COLUMNS.reason]: reason };
}
