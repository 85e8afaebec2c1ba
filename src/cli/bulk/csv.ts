import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from '../../contract/limits.js';
import { CliError, usageError } from '../lib/errors.js';
import { decodeTextStream } from '../lib/text-file.js';
import { checkColumns, parseRecord } from './csv-columns.js';
import type { SourceRow } from './row.js';

type Cells = Readonly<Record<string, string>>;

function toRow(number: number, cells: Cells, defaultType: string | undefined): SourceRow {
  try {
    return { number, record: parseRecord(cells, defaultType), original: cells };
  } catch (error) {
    if (error instanceof CliError) return { number, problem: error.message, original: cells };
    throw error;
  }
}

/** A record as RFC 4180 has it, after empty lines: cells in quotes, in which a quote is doubled, or cells without any. */
const VALID_RECORD =
  /^[\r\n]*(?:"[^"]*(?:""[^"]*)*"|[^",\r\n]*)(?:,(?:"[^"]*(?:""[^"]*)*"|[^",\r\n]*))*[\r\n]*$/;

const countLineEnds = (text: string): number => text.match(/\r\n|[\r\n]/g)?.length ?? 0;

/** Counts the empty lines before a record, which the parser passes on with it. */
const countEmptyLines = (raw: string): number => countLineEnds(/^[\r\n]*/.exec(raw)?.[0] ?? '');

/** A record that the parser cannot read: its quote is not closed, or it is too long. Nothing after it can be read. */
interface UnreadableRecord {
  isTooLong: boolean;
  recordsBefore: number;
  raw: string;
}

/** Creates a parser that passes on records with any number of cells and with misplaced quotes, which are found in the raw text. */
function createParser(onUnreadable: (record: UnreadableRecord) => void) {
  return parse({
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: 2 * LIMITS.bodyBytes,
    info: true,
    raw: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_error: true,
    on_skip: (error, raw = '') => {
      const { code, records } = error as CsvError;
      onUnreadable({ isTooLong: code === 'CSV_MAX_RECORD_SIZE', recordsBefore: Number(records), raw });
      return undefined;
    },
  });
}

/** Reads CSV with a heading line, as in RFC 4180. The problem of a row that is not valid names its first line, from 1. */
export async function* readCsv(
  source: Readable,
  defaultType: string | undefined,
): AsyncGenerator<SourceRow, void, void> {
  let unreadable: UnreadableRecord | undefined;
  const parser = createParser((record) => {
    unreadable ??= record;
  });
  const text = Readable.from(decodeTextStream(source, 'The source'));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let columns: string[] | undefined;
  let number = 0;
  let linesBefore = 0;
  const toCells = (cells: readonly string[]): Cells =>
    Object.fromEntries((columns ?? []).map((name, index) => [name, cells[index] ?? '']));
  const records: AsyncIterable<{ record: string[]; raw: string; info: { records: number } }> = parser;
  for await (const { record, raw, info } of records) {
    if (unreadable && info.records > unreadable.recordsBefore) break;
    const line = linesBefore + countEmptyLines(raw) + 1;
    linesBefore += countLineEnds(raw);
    if (!columns) {
      columns = record.map((name) => name.trim());
      checkColumns(columns);
      continue;
    }
    const cells = toCells(record);
    number += 1;
    const problem = findProblem(raw, record.length, columns.length);
    if (problem === undefined) yield toRow(number, cells, defaultType);
    else yield { number, problem: `line ${line} ${problem}`, original: cells };
  }
  if (!unreadable) return;
  const line = linesBefore + countEmptyLines(unreadable.raw) + 1;
  if (unreadable.isTooLong)
    throw usageError(`The row on line ${line} is too long for a token. Is one of its quotes not closed?`);
  const problem = `line ${line} has a quote that is not closed; what follows the quote was not read`;
  yield { number: number + 1, problem, original: toCells([]) };
}

/** Returns why a record is not valid, without any of its text. */
function findProblem(raw: string, cells: number, expectedCells: number): string | undefined {
  if (!VALID_RECORD.test(raw)) return 'has a quote where CSV allows none; double the quotes within a cell';
  return cells === expectedCells ? undefined : `has ${cells} cells, but the header has ${expectedCells}`;
}
