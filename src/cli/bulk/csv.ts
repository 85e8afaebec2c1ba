import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from '../../contract/limits.js';
import { CliError, usageError } from '../lib/errors.js';
import { decodeTextStream } from '../lib/text-decoding.js';
import { checkColumns, recordOf } from './csv-columns.js';
import type { SourceRow } from './row.js';

function toRow(
  number: number,
  row: Readonly<Record<string, string>>,
  defaultType: string | undefined,
): SourceRow {
  try {
    return { number, record: recordOf(row, defaultType), original: row };
  } catch (error) {
    if (error instanceof CliError) return { number, problem: error.message, original: row };
    throw error;
  }
}

/**
 * The rows of CSV with a heading line, separated by commas, quoted as RFC 4180 says.
 * @throws {CliError} when it is no CSV or has columns that nobody knows.
 */
export async function* csvRows(
  source: Readable,
  defaultType: string | undefined,
): AsyncGenerator<SourceRow, void, void> {
  const parser = parse({
    skip_empty_lines: true,
    max_record_size: 2 * LIMITS.bodyBytes,
    columns: (names: string[]) => {
      const trimmed = names.map((name) => name.trim());
      checkColumns(trimmed);
      return trimmed;
    },
  });
  const text = Readable.from(decodeTextStream(source, 'The source'));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let number = 0;
  try {
    for await (const row of parser as AsyncIterable<Record<string, string>>)
      yield toRow(++number, row, defaultType);
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
