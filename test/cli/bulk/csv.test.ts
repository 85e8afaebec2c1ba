import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../../src/cli/bulk/csv.js';
import { EXPORT_COLUMNS, toCells } from '../../../src/cli/bulk/csv-columns.js';
import { deriveRowId, toImportRow } from '../../../src/cli/bulk/import-rows.js';
import { readNdjson } from '../../../src/cli/bulk/ndjson.js';
import type { SourceRow } from '../../../src/cli/bulk/row.js';

async function collect(rows: AsyncIterable<SourceRow>): Promise<SourceRow[]> {
  const all: SourceRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The text in pieces of this many bytes, so that characters and lines are torn apart. */
function inPieces(text: string, bytes: number): Readable {
  const buffer = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(buffer.length / bytes) }, (_, index) =>
    buffer.subarray(index * bytes, (index + 1) * bytes),
  );
  return Readable.from(pieces);
}

const csv = async (text: string, type?: string) =>
  (await collect(readCsv(Readable.from([Buffer.from(text)]), type))).map(({ record }) => record);

const csvRows = (text: string) => collect(readCsv(Readable.from([Buffer.from(text)]), undefined));

test('CSV: byte order mark, CRLF, quotes, line ends and commas in cells, empty lines', async () => {
  const text = '\uFEFFtype,data,metadata.note\r\ntoken,"a, ""b""\r\nc",\r\n\r\ntoken,x,"é"\r\n';
  expect(await csv(text)).toEqual([
    { type: 'token', data: 'a, "b"\r\nc' },
    { type: 'token', data: 'x', metadata: { note: 'é' } },
  ]);
});

test('CSV: leading zeros of types that hold digits as strings stay', async () => {
  expect(await csv('data\n021000021\n', 'us_bank_routing_number')).toEqual([{ data: '021000021' }]);
  expect(await csv('data\n378282246310005\n', 'card_number')).toEqual([{ data: '378282246310005' }]);
  expect(await csv('data\n021\n', 'token')).toEqual([{ data: '021' }]);
});

test('CSV: lists are JSON, or separated by semicolons', async () => {
  const rows = await csv('containers\n/a/; /b/\n"[""/a;b/""]"\n', 'token');
  expect(rows).toEqual([{ containers: ['/a/', '/b/'] }, { containers: ['/a;b/'] }]);
});

test('CSV: a metadata key cannot replace a prototype', async () => {
  const [record] = await csv('metadata.__proto__\nx\n', 'token');
  expect(Object.keys(record?.metadata as object)).toEqual(['__proto__']);
});

test('CSV: a number that JSON would write differently stays text', async () => {
  const text = 'data\n12345678901234567890\n1.10\n1e3\n42\n';
  const data = ['12345678901234567890', '1.10', '1e3', 42];
  expect(await csv(text, 'token')).toEqual(data.map((value) => ({ data: value })));
  const rows = await collect(
    readCsv(Readable.from([Buffer.from('type,data\ntoken,[12345678901234567890]\n')]), undefined),
  );
  expect(rows).toMatchObject([
    { problem: expect.stringMatching(/^data contains a number that JSON would round/) },
  ]);
});

test('CSV: a repeated column is refused, because one of its values would be lost', async () => {
  await expect(csv('type,data,data\ntoken,x,y\n')).rejects.toThrow('Two columns are named "data"');
});

test('CSV: an unknown column is refused before anything is read, because its data would be lost', async () => {
  await expect(csv('type,dta\ntoken,x\n')).rejects.toThrow('Unknown columns: "dta"');
});

test('CSV: a quote that is never closed is a problem of the line it is on, not the end of the import', async () => {
  const rows = await csvRows('type,data\ntoken,1\ntoken,"secret\ntoken,3\n');
  expect(rows.map(({ record, problem }) => problem ?? record?.data)).toEqual([
    1,
    expect.stringMatching(/^line 3 has a quote that is not closed/),
  ]);
  expect(JSON.stringify(rows[1]?.problem)).not.toContain('secret');
});

test('CSV: a row that is too long for a token ends the import and is named', async () => {
  const long = `token,"${'x\n'.repeat(6_000_000)}"\ntoken,lost\n`;
  await expect(csv(`type,data\ntoken,"1\n1"\n${long}`)).rejects.toThrow(
    'The row on line 4 is too long for a token.',
  );
});

test('CSV: the line of a problem is the first of its row, whatever the rows before it contain', async () => {
  const cell = fc.constantFrom('a', '"b"', '"c\nd"', '"\n\n"', '"e ""f"""', '');
  const valid = cell.map((data) => ({ text: `x,token,${data}`, isValid: true }));
  const invalid = fc
    .constantFrom('short', 'x,"y"z,1', 'long,"\n",1,2', '"\n"x,token,1')
    .map((text) => ({ text, isValid: false }));
  const empty = fc.constant({ text: '', isValid: true });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(valid, invalid, empty)),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\uFEFF'),
      fc.integer({ min: 1, max: 9 }),
      async (rows, end, mark, size) => {
        const expected: number[] = [];
        let line = 2;
        for (const { text, isValid } of rows) {
          if (!isValid) expected.push(line);
          line += text.split('\n').length;
        }
        const text = ['id,type,data', ...rows.map((row) => row.text), ''].join('\n').replaceAll('\n', end);
        const read = await collect(readCsv(inPieces(mark + text, size), undefined));
        expect(read).toHaveLength(rows.filter((row) => row.text !== '').length);
        const problems = read.flatMap(({ problem }) => problem ?? []);
        expect(problems.map((problem) => Number(/^line (\d+) /.exec(problem)?.[1]))).toEqual(expected);
      },
    ),
  );
});

test('CSV: rows may end in different ways within one file', async () => {
  expect(await csv('type,data\ntoken,x\r\ntoken,y\rtoken,z')).toEqual(
    ['x', 'y', 'z'].map((data) => ({ type: 'token', data })),
  );
});

test('CSV: import reads what export wrote: every token survives the round trip', async () => {
  const data = fc.jsonValue().filter((value) => value !== null);
  const digits = fc.stringMatching(/^\d{3,17}$/);
  const card = fc.record(
    {
      number: fc.oneof(digits, fc.string()),
      expiration_month: fc.oneof(fc.integer({ min: 1, max: 12 }), data),
      expiration_year: fc.integer(),
      cvc: digits,
    },
    { requiredKeys: ['number'] },
  );
  const bank = fc.record({ routing_number: digits, account_number: digits });
  const content = fc.oneof(
    fc.record({ type: fc.constant('token'), data: fc.oneof(data, card) }),
    fc.record({ type: fc.constant('card'), data: fc.oneof(card, data) }),
    fc.record({ type: fc.constant('bank'), data: fc.oneof(bank, data) }),
  );
  const properties = fc.record(
    {
      id: fc.uuid(),
      metadata: fc.dictionary(fc.string(), fc.string()),
      containers: fc.constant(['/general/high/', '/a-b/']),
      mask: fc.constantFrom('{{ data | last4 }}', { a: '{{ data.a }}' }, 'text', ['x']),
      search_indexes: fc.array(fc.string()),
      expires_at: fc.constant('2030-01-01T00:00:00+00:00'),
    },
    { requiredKeys: ['id'] },
  );
  const token = fc.tuple(properties, content).map(([one, other]) => ({ ...one, ...other }));
  await fc.assert(
    fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 5 }), async (tokens) => {
      const exported = tokens.map((one) => ({ ...one, tenant_id: 'x', created_at: 'y', fingerprint: 'z' }));
      const text = stringify([[...EXPORT_COLUMNS], ...exported.map((one) => toCells(one))]);
      // What JSON cannot tell apart (-0, undefined) is none of CSV's business.
      expect(await csv(text)).toEqual(JSON.parse(JSON.stringify(tokens)));
    }),
    { numRuns: 200 },
  );
});

test('NDJSON: any JSON objects are parsed unchanged, wherever chunks are split', async () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(
      fc.array(object),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      async (objects, size, end) => {
        const lines = objects.map((value) => JSON.stringify(value));
        const rows = await collect(readNdjson(inPieces(lines.join(end), size)));
        expect(rows.map(({ record }) => record)).toEqual(lines.map((line) => JSON.parse(line)));
        expect(rows.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
      },
    ),
  );
});

test('NDJSON: a byte order mark, and characters that end lines elsewhere', async () => {
  const rows = await collect(readNdjson(Readable.from([Buffer.from('\uFEFF{"a":"x\u2028y\u0085z"}\n')])));
  expect(rows).toMatchObject([{ record: { a: 'x\u2028y\u0085z' } }]);
});

test('NDJSON: a number that would be rounded is a problem of its row', async () => {
  const lines = '{"a":1.50,"b":"12345678901234567890"}\n{"a":12345678901234567890}\n';
  const rows = await collect(readNdjson(Readable.from([Buffer.from(lines)])));
  expect(rows).toMatchObject([
    { record: { a: 1.5, b: '12345678901234567890' } },
    {
      problem: expect.stringMatching(/^contains a number that JSON would round/),
      original: { _line: '{"a":12345678901234567890}' },
    },
  ]);
});

test('NDJSON: a row that is not a JSON object is rejected without ending the import', async () => {
  const rows = await collect(readNdjson(Readable.from([Buffer.from('{"a":1}\nnope\n[1]\n{"a":2}')])));
  expect(rows.map(({ problem }) => problem)).toEqual([
    undefined,
    'is not JSON',
    'is not a JSON object',
    undefined,
  ]);
});

const source = (bytes: Buffer) => Readable.from([bytes]);

test('encodings: UTF-16 with its byte order mark, as PowerShell writes it', async () => {
  const bytes = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  expect(await collect(readCsv(source(bytes('type,data\ntoken,é\n')), undefined))).toMatchObject([
    { record: { type: 'token', data: 'é' } },
  ]);
  expect(await collect(readNdjson(source(bytes('{"a":"é"}\n'))))).toMatchObject([{ record: { a: 'é' } }]);
});

test('encodings: another encoding is refused, because its characters would be replaced', async () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const csvOf = collect(readCsv(source(bytes('type,data\ntoken,é\n')), undefined));
  await expect(csvOf).rejects.toThrow('is not UTF-8');
  await expect(collect(readNdjson(source(bytes('{"a":"é"}\n'))))).rejects.toThrow('is not UTF-8');
});

const row = (record: Record<string, unknown>): SourceRow => ({ number: 7, record, original: record });

test('a row without an id gets one that is the same every time it is sent', () => {
  const sent = toImportRow(row({ type: 'token', data: 1 }), 'import-1', undefined);
  expect(sent).toMatchObject({ ownId: true, record: { id: deriveRowId('import-1', 7) } });
  expect(deriveRowId('import-1', 7)).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  expect(deriveRowId('import-1', 8)).not.toBe(deriveRowId('import-1', 7));
  expect(deriveRowId('import-2', 7)).not.toBe(deriveRowId('import-1', 7));
});

test.each([
  ['no type', { data: 1 }, 'type: is required, a string'],
  ['no data', { type: 'token' }, 'data: is required'],
  ['hidden data', { type: 'token', data: { a: '[hidden]' } }, 'data: is hidden; export it with --reveal'],
])('rows of a request: %s never reaches tokenize, which would store each value', (_name, record, reason) => {
  expect(toImportRow(row(record), 'i', undefined)).toMatchObject({ reason });
});

const cellsOf = (token: Record<string, unknown>) => {
  const cells = toCells(token);
  const named = EXPORT_COLUMNS.map((column, index) => [column, cells[index]] as const);
  return Object.fromEntries(named.filter(([column, text]) => column.startsWith('data') && text !== ''));
};

test.each([
  ['a mask of another shape', { type: 'card', data: 'XXXX4242' }],
  ['a field that only the mask has', { type: 'card', data: { number: '4242', brand: 'visa' } }],
  ['a value that its cell would change', { type: 'card', data: { number: '', expiration_month: '04' } }],
  ['another type', { type: 'token', data: { number: '4242' } }],
  ['a structured value, whatever it converts to', { type: 'card', data: { number: { toString: 0 } } }],
])('toCells writes %s as JSON', (_name, token) => {
  expect(cellsOf(token)).toEqual({ data: JSON.stringify(token.data) });
});
