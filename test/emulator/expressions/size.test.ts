import { describe, expect, it } from 'vitest';
import { jsonLength } from '../../../emulator/lib/json-bounds.js';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

describe('the length of a value as JSON', () => {
  it.each([
    'x'.repeat(20),
    Array.from({ length: 1_000 }, () => 'x'.repeat(20)),
    Array.from({ length: 1_000 }, (_, index) => ({
      [`property ${index}`]: { d: ['e'.repeat(60), 0.1234567890123] },
    })),
  ])('is at least that length, and at most half more for values of usual length', (value) => {
    const { length } = JSON.stringify(value);
    expect(jsonLength(value, NO_LIMIT)).toBeGreaterThanOrEqual(length);
    expect(jsonLength(value, NO_LIMIT)).toBeLessThan(length * 1.5 + 16);
  });

  it.each([[null], [1], [''], [[]], [{}]])('counts %j as 16 characters', (value) => {
    expect(jsonLength(value, NO_LIMIT)).toBe(16);
    expect(
      jsonLength(
        Array.from({ length: 100 }, () => value),
        NO_LIMIT,
      ),
    ).toBe(16 + 100 * 17);
  });

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
