import { expect, test } from 'vitest';
import { timeFormat } from '../../../src/cli/output/times.js';

const NOW = Date.parse('2026-01-31T12:00:00Z');

test.each([
  ['2026-01-31T12:00:00.400Z', 'now'],
  ['2026-01-31T11:59:48Z', '12 s ago'],
  ['2026-01-31T11:56:59.877Z', '3 min ago'],
  ['2026-01-31T06:59:59+00:00', '5 h ago'],
  ['2026-01-29T12:00:00Z', '2 d ago'],
  ['2026-01-31T14:30:00Z', 'in 2 h'],
  ['2031-01-01T00:00:00.000Z', '2031-01-01'],
  ['2025-12-30T12:00:00Z', '2025-12-30'],
  [undefined, ''],
  ['never', 'never'],
])('%s is shown as %s on a terminal', (time, text) => {
  expect(timeFormat('relative', NOW)(time)).toBe(text);
});

test('--utc shows times of the service, --local-time those of this machine', () => {
  const time = '2026-01-31T12:00:00.123+00:00';
  expect(timeFormat('utc')(time)).toBe('2026-01-31T12:00:00Z');
  const local = timeFormat('local')(time);
  expect(new Date(local.replace(' ', 'T')).getTime()).toBe(NOW);
});
