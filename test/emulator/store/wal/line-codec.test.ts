import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLLECTION_NAMES } from '../../../../emulator/store/collections.js';
import type { LineHead, Numbered } from '../../../../emulator/store/wal/line.js';
import { parseLine, recordOf } from '../../../../emulator/store/wal/line-codec.js';
import { formatLine, formatPut } from '../../../support/journal-lines.js';

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
    created: time,
    times: fc.oneof(fc.array(time), fc.constant<number[]>([0, 0, 0])),
    hashes: fc.stringMatching(/^[A-Za-z0-9+/]*$/),
    record: fc.dictionary(text, fc.jsonValue()),
  })
  .map(({ numbered, record, ...rest }) => {
    const head: LineHead = { ...numbered, ...rest };
    return { head, line: formatPut(head, record), record };
  });

const other = fc
  .oneof(
    fc
      .tuple(numbered, fc.record({ remove: collection, tenant: text, id: text }))
      .map(([head, rest]) => ({ ...head, ...rest })),
    fc.tuple(numbered, text).map(([head, tenant]) => ({ ...head, clear: 'tenant' as const, tenant })),
    fc.record({ scrub: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat())) }),
  )
  .map((head) => ({ head, line: formatLine(head), record: undefined }));

/** Where the line is in the bytes that are parsed. */
const OFFSET = 3;

const bytesOf = (line: string) => Buffer.from(`${'.'.repeat(OFFSET)}${line}`);

function parse(bytes: Buffer): LineHead | undefined {
  const parsed = parseLine(bytes, OFFSET, bytes.length - 1, 7);
  if (parsed === undefined) return undefined;
  const { segment, offset, length, ...head } = parsed;
  expect({ segment, offset, length }).toEqual({
    segment: 7,
    offset: OFFSET,
    length: bytes.length - OFFSET - 1,
  });
  return head;
}

describe('a line of the journal', () => {
  it('is parsed to what was formatted, with its record unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(put, other), ({ head, line, record }) => {
        const bytes = bytesOf(line);
        expect(parse(bytes)).toEqual(head);
        if (record !== undefined) expect(recordOf(bytes.subarray(OFFSET, -1))).toBe(JSON.stringify(record));
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused when any byte of the checksum or behind it was changed', () => {
    fc.assert(
      fc.property(
        fc.oneof(put, other),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        ({ line }, where, change) => {
          const bytes = bytesOf(line);
          const positions = [...bytes.keys()].filter((at) => {
            const inLine = at - OFFSET;
            return (inLine >= 8 && inLine < 16) || (inLine >= 18 && at < bytes.length - 1);
          });
          const at = positions[where % positions.length] as number;
          bytes[at] = (bytes[at] as number) ^ change;
          expect(parse(bytes)).toBeUndefined();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is refused when it is not JSON, whatever its checksum', () => {
    const rest = '"rev":1,"put":"tokens","tenant":"","id":"","index":[NaN,[],[]],"record":{}}';
    const sum = crc32(rest).toString(16).padStart(8, '0');
    expect(parse(bytesOf(`{"sum":"${sum}",${rest}\n`))).toBeUndefined();
  });
});
