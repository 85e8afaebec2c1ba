import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from '../../contract/limits.js';
import { CliError } from '../lib/errors.js';
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

/** A record as RFC 4180 has it, after empty lines: cells in quotes, in which a quote is doubled, or cells without any. */
const VALID_RECORD =
  /^[\r\n]*(?:"[^"]*(?:""[^"]*)*"|[^",\r\n]*)(?:,(?:"[^"]*(?:""[^"]*)*"|[^",\r\n]*))*[\r\n]*$/;
const MISPLACED_QUOTE = 'has a quote in a place where CSV allows none; quotes within a cell are doubled';

/** What is wrong with a line that the parser skips. Its own messages contain the line. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'has another number of cells than the heading',
  CSV_QUOTE_NOT_CLOSED: 'is the end of a quote that is not closed; what follows the quote was not read',
  CSV_MAX_RECORD_SIZE: 'is too long for a token',
};

/** A line that is not valid CSV. */
interface SkippedLine {
  /** The number of valid rows before it. */
  rowsBefore: number;
  problem: string;
  cells: readonly string[];
}

function toSkippedLine({ code, lines, records, record }: CsvError): SkippedLine {
  return {
    rowsBefore: Number(records),
    problem: `line ${lines} ${PROBLEMS[code] ?? 'is not valid CSV'}`,
    cells: Array.isArray(record) ? (record as string[]) : [],
  };
}

interface ParsedRow {
  record: Record<string, string>;
  raw: string;
  info: { records: number; lines: number };
}

/**
 * Reads the rows of CSV with a heading line, separated by commas and quoted as in RFC 4180. A line that is not valid is a row
 * with a problem that names the line.
 * @param defaultType Type of a row that has none.
 * @throws {CliError} if it has unknown columns.
 */
export async function* readCsv(
  source: Readable,
  defaultType: string | undefined,
): AsyncGenerator<SourceRow, void, void> {
  let columns: string[] = [];
  const skipped: SkippedLine[] = [];
  const parser = parse({
    skip_empty_lines: true,
    max_record_size: 2 * LIMITS.bodyBytes,
    info: true,
    raw: true,
    // A misplaced quote would otherwise hide all lines up to the next one. It is found in the raw text.
    relax_quotes: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) skipped.push(toSkippedLine(error));
      return undefined;
    },
    columns: (names: string[]) => {
      columns = names.map((name) => name.trim());
      checkColumns(columns);
      return columns;
    },
  });
  const text = Readable.from(decodeTextStream(source, 'The source'));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let number = 0;
  // The parser is ahead of its reader: a line that it skipped comes in its place among the rows.
  function* takeSkipped(rowsBefore: number): Generator<SourceRow> {
    while (skipped[0] && skipped[0].rowsBefore < rowsBefore) {
      const { problem, cells } = skipped.shift() as SkippedLine;
      const original = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']));
      yield { number: ++number, problem, original };
    }
  }
  for await (const { record, raw, info } of parser as AsyncIterable<ParsedRow>) {
    yield* takeSkipped(info.records);
    number += 1;
    if (VALID_RECORD.test(raw)) yield toRow(number, record, defaultType);
    else yield { number, problem: `line ${info.lines} ${MISPLACED_QUOTE}`, original: record };
  }
  yield* takeSkipped(Number.POSITIVE_INFINITY);
}
