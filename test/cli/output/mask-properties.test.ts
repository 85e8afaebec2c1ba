import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLACEHOLDER } from '../../../src/cli/lib/placeholder.js';
import { maskData, redact } from '../../../src/cli/output/redact.js';

/** Characters that occur in no mask and no placeholder, so that each one in the output comes from the value. */
const secret = fc.string({ unit: fc.constantFrom('α', 'β', 'γ', 'é', '😀', '-'), maxLength: 40 });

const revealedCount = (output: unknown): number =>
  [...(typeof output === 'string' ? output : JSON.stringify(output ?? null))].filter((character) =>
    'αβγé😀'.includes(character),
  ).length;

const spaces = fc.constantFrom('', ' ', '  ');

/** A mask expression, and how many characters of the value it may reveal. */
const expression = fc.oneof(
  fc
    .tuple(spaces, fc.oneof(fc.constant(0), fc.nat(50), fc.maxSafeNat()))
    .map(([space, count]) => ({ mask: `{{${space}data | reveal_last:${space}${count} }}`, allowed: count })),
  fc.constant({ mask: '{{ data | reveal_last: 000 }}', allowed: 0 }),
  fc.constant({ mask: '{{ data | last4 }}', allowed: 4 }),
  fc
    .constantFrom(
      '{{ data | reveal_last }}',
      '{{ data | reveal_last: -1 }}',
      '{{ data | last4: 0 }}',
      '{{ data | constructor }}',
      '{{ data | toString: 1 }}',
      '{{ data | stringify }}',
      '{{ data | upcase | reveal_last: 4 }}',
      '{{ data }}{{ data }}',
      'literal',
    )
    .map((mask) => ({ mask, allowed: 0 })),
);

test('a mask never reveals more characters than its expression allows, 0 included', () => {
  fc.assert(
    fc.property(secret, expression, (data, { mask, allowed }) => {
      const masked = maskData(data, mask);
      expect(revealedCount(masked)).toBeLessThanOrEqual(allowed);
      if (typeof masked === 'string' && /^{{\s*data \| reveal_last:\s*\d/.test(mask))
        expect([...masked]).toHaveLength([...data].length);
    }),
  );
});

test('parts of structured data are masked the same way', () => {
  fc.assert(
    fc.property(secret, secret, expression, (number, other, { mask, allowed }) => {
      const part = mask.replace('data', 'data.list.1');
      if (part.includes('{{ data }}')) return;
      const masked = maskData({ list: [other, number], other }, { shown: [part], literal: 1 });
      expect(revealedCount(masked)).toBeLessThanOrEqual(allowed);
    }),
  );
});

test.each(['tokens', 'anything', 'reaction'] as const)('%s: tokens at any depth are masked', (redaction) => {
  fc.assert(
    fc.property(secret, expression, fc.nat(4), (data, { mask, allowed }, depth) => {
      let value: unknown = { id: 'x', type: 'token', data, mask };
      for (let level = 0; level < depth; level++) value = level % 2 ? { tokens: value } : [value];
      expect(revealedCount(redact(value, redaction, false))).toBeLessThanOrEqual(allowed);
    }),
  );
});

test('a token without a mask is hidden', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(maskData(data, null)).toBe(PLACEHOLDER);
    }),
  );
});
