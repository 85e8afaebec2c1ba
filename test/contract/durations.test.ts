import { expect, test } from 'vitest';
import { parseDuration } from '../../src/contract/durations.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

test.each([
  ['250ms', 250],
  ['90m', 90 * MINUTE],
  ['1h30m', 90 * MINUTE],
  ['1.5h', 90 * MINUTE],
  ['2d', 2 * DAY],
  ['0s', 0],
  ['PT90M', 90 * MINUTE],
  ['PT1H30M', 90 * MINUTE],
  ['PT0.25S', 250],
  ['P1D', DAY],
  ['P1W', 7 * DAY],
  ['P1M', 30 * DAY],
  ['P1Y', 365 * DAY],
  ['P1DT12H', 1.5 * DAY],
  ['-5m', -5 * MINUTE],
  ['-PT5M', -5 * MINUTE],
])('parseDuration reads %j', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '1h 30m', ' 1h', ...'- --5m 90 m 1y 1e3s P PT P1DT P1H PT1D pt1h'.split(' ')])(
  'parseDuration rejects %j',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test('parseDuration rounds to whole milliseconds', () => {
  expect(parseDuration('0.0006s')).toBe(1);
});
