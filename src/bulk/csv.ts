import type { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from '../contract/limits.js';
import { usageError } from '../failure.js';
import { checkColumns, recordOf } from './csv-columns.js';
import type { SourceRow } from './row.js';

/**
 * The rows of CSV with a heading line, separated by commas, quoted as RFC 4180 says.
 * @throws {CliError} when it is no CSV or has columns that nobody knows.
 */
export async function* csvRows(
  source: Readable,
  defaultType: string | undefined,
): AsyncGenerator<SourceRow, void, void> {
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    max_record_size: 2 * LIMITS.bodyBytes,
    columns: (names: string[]) => {
      const trimmed = names.map((name) => name.trim());
      checkColumns(trimmed);
      return trimmed;
    },
  });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let number = 0;
  try {
    for await (const row of parser as AsyncIterable<Record<string, string>>)
      yield { number: ++number, record: recordOf(row, defaultType), original: row };
  } catch (error) {
    const { code } = error as CsvError;
    // The parser's own message repeats the row.
    if (typeof code === 'string' && code.startsWith('CSV_'))
      throw usageError(
        `Row ${number + 1} is no valid CSV (${code.slice(4).toLowerCase().replaceAll('_', ' ')}).`,
      );
    throw error;
  }
}
