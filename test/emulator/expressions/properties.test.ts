import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluateValue } from '../../../emulator/expressions/evaluate.js';
import {
  ExpressionError,
  ExpressionFailure,
  type Json,
  RequestBudget,
} from '../../../emulator/expressions/index.js';
import { type Expression, parseExpression } from '../../../emulator/expressions/template.js';
import { width } from '../../support/width.js';
import { evaluateStructure, evaluateText, fullBudget } from './evaluate-now.js';
import { hostileCase } from './hostile-values.js';
import { NOW } from './now.js';

// Letters and digits only, so that neither the mask character nor a separator can pass for data.
const secret = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwyz0123456789'),
  minLength: 1,
  maxLength: 40,
});
const count = fc.nat(45);
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** The characters of `value` that stand unmasked in `masked`, by place. */
function shown(value: string, masked: unknown): number {
  expect(masked).toHaveLength(value.length);
  return [...String(masked)].filter((c) => c !== 'X').length;
}

it('a mask with reveal_last never contains more of the data than its last n characters', () => {
  fc.assert(
    fc.property(secret, count, (data, n) => {
      const masked = evaluateText(`{{ data | reveal_last: ${n} }}`, { data }, NOW);
      expect(shown(data, masked)).toBe(Math.min(n, data.length));
      expect(String(masked).endsWith(n === 0 ? '' : data.slice(-n))).toBe(true);
    }),
  );
});

it('a mask with reveal never contains more than its ends, and never everything', () => {
  fc.assert(
    fc.property(secret, count, count, (data, first, last) => {
      const masked = evaluateText(`{{ data | reveal: ${first}, ${last} }}`, { data }, NOW);
      expect(shown(data, masked)).toBe(first + last >= data.length ? 0 : first + last);
    }),
  );
});

it('a mask with card_mask never contains more than BIN and last four, and never everything', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 19 });
  fc.assert(
    fc.property(digits, fc.boolean(), fc.boolean(), (data, bin, last4) => {
      const masked = evaluateText(`{{ data | card_mask: ${bin}, ${last4} }}`, { data }, NOW);
      const asked = (bin ? (data.length < 16 ? 6 : 8) : 0) + (last4 ? 4 : 0);
      expect(shown(data, masked)).toBe(asked >= data.length ? 0 : asked);
    }),
  );
});

it('properties that a mask leaves out are redacted', () => {
  fc.assert(
    fc.property(secret, secret, (kept, hidden) => {
      const data = { kept, hidden: `<${hidden}>` };
      const masked = JSON.stringify(evaluateStructure({ kept: '{{ data.kept }}' }, { data }, 'mask', NOW));
      expect(masked).toBe(JSON.stringify({ kept }));
    }),
  );
});

it('stringify is stable under key order', () => {
  fc.assert(
    fc.property(json, (data) => {
      const text = evaluateText('{{ data | stringify }}', { data }, NOW);
      expect(evaluateText('{{ data | stringify }}', { data: reversed(data) }, NOW)).toBe(text);
    }),
  );
});

it('a single expression returns any JSON value unchanged', () => {
  fc.assert(
    fc.property(json, (data) => {
      expect(evaluateText('{{ data }}', { data }, NOW)).toEqual(data);
    }),
  );
});

it('any text between braces either evaluates or fails with an expression error', () => {
  const words = `data . | ' " ( ) [ ] {{ }} {% %} : , 1 - reveal_last json $ == not .. { }`.split(' ');
  const piece = fc.constantFrom(' ', ...words);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), json, (pieces, data) => {
      try {
        evaluateText(`{{${pieces.join('')}}}`, { data }, NOW);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionFailure);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('an expression over large and deep data is evaluated, or fails with an expression error', async () => {
  await fc.assert(
    fc.asyncProperty(hostileCase, async ([data, write]) => {
      try {
        await new RequestBudget(NOW).evaluate(write('data'), { data }, 'mask');
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
      }
    }),
    { numRuns: width(200, 10_000) },
  );
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

it('the fast path for plain paths and filters returns what Liquid returns', () => {
  const name = fc.constantFrom('.a', '.b', '.list', '.length', '.constructor', '.__proto__', "['a']", '.x-y');
  const filter = fc.constantFrom(
    ...['last4', 'reveal_last: 2', "reveal: 1, last: 1, mask_char: '#'", 'stringify', 'json_stringify'],
    ...[
      "json: '$.a'",
      'to_string',
      "pad_left: 5, '0'",
      "hmac: 'sha-256', 'k'",
      'reveal_last: nil',
      'card_mask: true',
    ],
  );
  const data = fc.oneof(json, fc.constant({ a: { a: '4242424242424242', b: [1] }, b: 5, list: ['x'] }));
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 3 }),
      fc.array(filter, { maxLength: 3 }),
      data,
      (path, filters, value) => {
        const expression = parseExpression(
          ['data', ...path, ...filters.map((part) => ` | ${part}`)].join(''),
        );
        expect(expression.fastPath).toBeDefined();
        expect(outcome(expression, value)).toEqual(outcome({ ...expression, fastPath: undefined }, value));
      },
    ),
    { numRuns: 1_000 },
  );
});

function outcome(expression: Expression, data: unknown): unknown {
  try {
    return evaluateValue(expression, { data }, fullBudget(NOW));
  } catch (error) {
    return (error as Error).message;
  }
}
