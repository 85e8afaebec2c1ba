import { describe, expect, it } from 'vitest';
import { jsonLength } from '../../../emulator/expressions/size.js';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

describe('the length of a value as JSON', () => {
  it.each(['text', { a: 'b', c: { d: ['e', 'f'] } }, [[], {}, 'x', ['y']]])(
    '%j is measured to within a few characters',
    (value) => {
      expect(Math.abs(jsonLength(value, NO_LIMIT) - JSON.stringify(value).length)).toBeLessThanOrEqual(4);
    },
  );

  it('stops at the limit, however often an array contains the same large value', () => {
    let value: unknown = ['x'.repeat(100)];
    for (let level = 0; level < 60; level += 1) value = [value, value];
    expect(jsonLength(value, 1_000)).toBeGreaterThan(1_000);
  });

  it('counts a value that is nested too deeply for JSON as too long', () => {
    let value: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) value = [value];
    expect(jsonLength(value, NO_LIMIT)).toBeGreaterThan(NO_LIMIT);
  });
});
