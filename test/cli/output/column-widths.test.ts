import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitColumns, GAP } from '../../../src/cli/output/table.js';

const need = (natural: number, min = natural, importance = 0) => ({ natural, min, importance });

describe('fitColumns', () => {
  test.each([
    ['keeps columns that fit', [need(10), need(20)], 32, [10, 20]],
    ['cuts the widest column first', [need(36), need(30, 10), need(14, 10)], 70, [36, 16, 14]],
    ['drops the least important one', [need(36, 36, 2), need(20, 20, 0), need(12, 12, 1)], 60, [36, 0, 12]],
    ['drops the rightmost of columns of one importance', [need(20), need(20), need(20)], 50, [20, 20, 0]],
    ['cuts the last column to the width', [need(36)], 20, [20]],
    ['cuts nothing without a width', [need(500, 10)], Number.POSITIVE_INFINITY, [500]],
  ])('%s', (_, needs, available, widths) => {
    expect(fitColumns(needs, available)).toEqual(widths);
  });

  test('columns of any needs fit, and use the width if one of them is cut', () => {
    const needs = fc.array(
      fc.tuple(fc.nat(200), fc.nat(60), fc.nat(5)).map(([natural, min, importance]) => ({
        natural: natural + 1,
        min: Math.min(natural, min) + 1,
        importance,
      })),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(needs, fc.integer({ min: 1, max: 250 }), (columns, available) => {
        const widths = fitColumns(columns, available);
        const kept = widths.filter((width) => width > 0);
        const used = kept.reduce((sum, width) => sum + width, GAP * (kept.length - 1));
        expect(kept.length).toBeGreaterThan(0);
        expect(used).toBeLessThanOrEqual(available);
        const isCut = widths.some((width, index) => width > 0 && width < (columns[index]?.natural ?? 0));
        if (isCut) expect(used).toBe(available);
      }),
    );
  });
});
