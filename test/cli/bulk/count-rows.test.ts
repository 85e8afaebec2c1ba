import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countRows } from '../../../src/cli/bulk/count-rows.js';
import { readCsv } from '../../../src/cli/bulk/csv.js';
import { readNdjson } from '../../../src/cli/bulk/ndjson.js';

const source = (text: string) => Readable.from([Buffer.from(text)]);

async function countRead(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  return count;
}

/** Texts of the characters that matter to the format, in any order. */
const textOf = (...parts: string[]) => fc.array(fc.constantFrom(...parts)).map((all) => all.join(''));

test('counts the rows of CSV that the reader reads, valid or not', async () => {
  const text = textOf('"', ',', '""', ',"', '",', '\n', '\r', '\r\n', 'a', ' ');
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      const csv = `id,type\n${body}`;
      expect(await countRows(source(csv), 'csv')).toBe(await countRead(readCsv(source(csv), undefined)));
    }),
    { numRuns: 1_000 },
  );
});

test('counts the rows of NDJSON that the reader reads, valid or not', async () => {
  await fc.assert(
    fc.asyncProperty(textOf('{"a":1}', '\n', '\r\n', ' ', '\t', 'x', '"'), async (text) => {
      expect(await countRows(source(text), 'ndjson')).toBe(await countRead(readNdjson(source(text))));
    }),
    { numRuns: 1_000 },
  );
});
