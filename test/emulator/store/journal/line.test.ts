import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COLLECTION_NAMES } from '../../../../emulator/store/collections.js';
import { type Line, parseLine } from '../../../../emulator/store/journal/line.js';
import { formatLine } from '../../../support/data-dir.js';

const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const collection = fc.constantFrom(...COLLECTION_NAMES);
const text = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', ',"record":', '\u007f', '\ud800', '\n', 'zoë'),
);

const numbered = fc.record({ rev: number });

const line: fc.Arbitrary<Line> = fc.oneof(
  fc
    .tuple(numbered, fc.record({ put: collection, record: fc.dictionary(text, fc.jsonValue()) }))
    .map(([head, rest]) => ({ ...head, ...rest })),
  fc
    .tuple(numbered, fc.record({ remove: collection, tenant: text, id: text }))
    .map(([head, rest]) => ({ ...head, ...rest })),
  fc.tuple(numbered, text).map(([head, tenant]) => ({ ...head, clear: 'tenant' as const, tenant })),
  fc.record({ group: fc.nat() }),
  fc.record({ erase: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat())) }),
);

/** Where the line is in the bytes that are parsed. */
const OFFSET = 3;

const bytesOf = (line: string) => Buffer.from(`${'.'.repeat(OFFSET)}${line}`);

const parse = (bytes: Buffer): unknown => parseLine(bytes, OFFSET, bytes.length - 1);

it('a line of the journal is parsed to what was formatted', () => {
  fc.assert(
    fc.property(line, (line) => {
      const parsed = parse(bytesOf(formatLine(line)));
      expect(parsed).toEqual({ sum: expect.any(String), ...JSON.parse(JSON.stringify(line)) });
    }),
    { numRuns: 1000 },
  );
});

it('a line of the journal is refused when any byte of the checksum or behind it was changed', () => {
  fc.assert(
    fc.property(line, fc.nat(), fc.integer({ min: 1, max: 255 }), (line, where, change) => {
      const bytes = bytesOf(formatLine(line));
      const positions = [...bytes.keys()].filter((at) => {
        const inLine = at - OFFSET;
        return (inLine >= 8 && inLine < 16) || (inLine >= 18 && at < bytes.length - 1);
      });
      const at = positions[where % positions.length] as number;
      bytes[at] = (bytes[at] as number) ^ change;
      expect(parse(bytes)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

it('a line of the journal is refused when it is not JSON, whatever its checksum', () => {
  const rest = '"rev":1,"put":"tokens","record":NaN}';
  const sum = crc32(rest).toString(16).padStart(8, '0');
  expect(parse(bytesOf(`{"sum":"${sum}",${rest}\n`))).toBeUndefined();
});
