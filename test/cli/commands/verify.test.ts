import { expect, test } from 'vitest';
import { compareResponses } from '../../../src/cli/commands/verify.js';
import { STEPS } from '../../../src/cli/verify/steps.js';

const same = { status: 200, body: { type: 'card' } };
const all = STEPS.map(() => same);

test('equal responses have no differences', () => {
  const compared = compareResponses(all, all);
  expect(compared.map(({ step }) => step)).toEqual(STEPS.map(({ name }) => name));
  expect(compared.flatMap(({ differences }) => differences)).toEqual([]);
});

test('a difference names its step, its path and both values', () => {
  const [, ...rest] = all;
  const [first] = compareResponses(all, [{ status: 201, body: { mask: 'x' } }, ...rest]);
  expect(first).toEqual({
    step: STEPS[0]?.name,
    operation: STEPS[0]?.operation,
    differences: [
      { path: 'status', emulator: '200', remote: '201' },
      { path: 'body.type', emulator: '"card"', remote: 'absent' },
      { path: 'body.mask', emulator: 'absent', remote: '"x"' },
    ],
  });
});
