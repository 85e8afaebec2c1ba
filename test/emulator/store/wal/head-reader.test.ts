import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLLECTION_NAMES } from '../../../../emulator/store/collections.js';
import { HeadReader } from '../../../../emulator/store/wal/head-reader.js';
import {
  formatLine,
  formatPut,
  type Line,
  type Numbered,
  recordOf,
  writeChecksum,
} from '../../../../emulator/store/wal/line-codec.js';

const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
const collection = fc.constantFrom(...COLLECTION_NAMES);
const text = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', ',"record":', '\u007f', '\ud800', '\n', 'zoë'),
);

const numbered: fc.Arbitrary<Numbered> = fc.oneof(
  fc.record({ rev: number }),
  fc.record({ rev: number, part: fc.tuple(fc.nat(), fc.nat()) }),
);

const put = fc
  .record({
    put: collection,
    tenant: text,
    id: text,
    numbered,
    keys: fc.record({ created: time, times: fc.array(time), hashes: fc.array(number) }),
    record: fc.json(),
  })
  .map(({ numbered, keys, record, ...head }) => ({
    line: formatPut({ ...numbered, ...head }, keys, record),
    record,
  }));

const other = fc
  .oneof(
    fc
      .tuple(numbered, fc.record({ remove: collection, tenant: text, id: text }))
      .map(([head, rest]) => ({ ...head, ...rest })),
    fc.tuple(numbered, text).map(([head, tenant]) => ({ ...head, clear: 'tenant' as const, tenant })),
    fc.record({ scrub: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat())) }),
  )
  .map((head) => ({ line: formatLine(head), record: undefined }));

/** The lines as they stand in a file, each with where it stands. */
function written(lines: { line: Line; record: string | undefined }[]) {
  const bytes = Buffer.from(lines.flatMap(({ line }) => line).join(''));
  let end = -1;
  const places = lines.map(({ line, record }) => {
    const start = end + 1;
    end = start + Buffer.byteLength(line.join('')) - 1;
    writeChecksum(bytes, start, end);
    return { start, end, record };
  });
  return { bytes, places };
}

describe('the head of a line', () => {
  it('reads as JSON.parse reads it, and the record as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(put, other), { minLength: 1, maxLength: 5 }), (lines) => {
        const { bytes, places } = written(lines);
        const heads = new HeadReader(bytes);
        for (const { start, end, record } of places) {
          const line = bytes.subarray(start, end);
          const { sum: _sum, record: _record, ...head } = JSON.parse(line.toString());
          expect(heads.read(start, end)).toStrictEqual(head);
          if (record !== undefined) expect(recordOf(line)).toBe(record);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused when any byte of the checksum or behind it is another', () => {
    fc.assert(
      fc.property(fc.oneof(put, other), fc.nat(), fc.integer({ min: 1, max: 255 }), (line, where, change) => {
        const { bytes } = written([line]);
        const end = bytes.length - 1;
        const places = [...Array(end).keys()].filter((at) => (at >= 8 && at < 16) || at >= 18);
        const at = places[where % places.length] as number;
        bytes[at] = (bytes[at] as number) ^ change;
        expect(new HeadReader(bytes).read(0, end)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused when it is no JSON, whatever its checksum', () => {
    const keys = { created: Number.NaN, times: [], hashes: [] };
    const line = formatPut({ rev: 1, put: 'tokens', tenant: '', id: '' }, keys, '{}');
    const { bytes } = written([{ line, record: undefined }]);
    expect(new HeadReader(bytes).read(0, bytes.length - 1)).toBeUndefined();
  });
});
