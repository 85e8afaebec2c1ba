import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../../../emulator/lib/timestamps.js';

const time = fc.oneof(
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
  // Close to each other, as they come: they share the places where they are remembered.
  fc.integer({ min: 1_800_000_000_000, max: 1_800_000_000_200 }),
);
const text = fc.oneof(
  time.map((ms) => new Date(ms).toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().replace('Z', '+02:00')),
  fc.constantFrom('', 'never', '2031-02-28', '2031-02-28T12:00:00Z', '2031-02-30T12:00:00.000Z'),
  fc.string(),
);

it('times are formatted as Date formats them, in any order', () => {
  fc.assert(
    fc.property(fc.array(time), (times) => {
      expect(times.map(formatTimestamp)).toEqual(times.map((ms) => new Date(ms).toISOString()));
    }),
  );
});

it('texts are parsed as Date parses them, including those that are not a time', () => {
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(texts.map(parseTimestamp)).toEqual(texts.map((one) => Date.parse(one)));
    }),
  );
});

it('an invalid time is refused, as by Date', () => {
  for (const none of [Number.NaN, 8.64e15 + 1]) expect(() => formatTimestamp(none)).toThrow(RangeError);
});
