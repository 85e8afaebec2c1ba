import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from '../../contract/limits.js';
import { CliError, usageError } from '../lib/errors.js';
import { decodeTextStream } from '../lib/text-decoding.js';
import { checkColumns, parseRecord } from './csv-columns.js';
import type { SourceRow } from './row.js';

function toRow(
  number: number,
  row: Readonly<Record<string, string>>,
  defaultType: string | undefined,
): SourceRow {
  try {
    return { number, record: parseRecord(row, defaultType), original: row };
  } catch (error) {
    if (error instanceof CliError) return { number, problem: error.message, original: row };
    throw error;
  }
}

/**
 * Reads the rows of CSV with a heading line, separated by commas and quoted as in RFC 4180.
 * @param defaultType Type of a row that has none.
 * @throws {CliError} if it is not valid CSV or has unknown columns.
 */
export async function* readCsv(
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
    // The message of the parser contains the row.
    if (typeof code === 'string' && code.startsWith('CSV_'))
      throw usageError(
        `Row ${number + 1} is not valid CSV (${code.slice(4).toLowerCase().replaceAll('_', ' ')}).`,
      );
    throw error;
  }
}
