import { expect, test } from 'vitest';
import { failureText } from '../../../src/cli/output/failure.js';
import { loadStyle } from '../../../src/cli/output/style.js';

const style = await loadStyle(false);
const failure = { category: 'failed' as const, title: 'Failed' };

test('the message of a reactor is printed once, in the sentence', () => {
  const message = "cannot read property 'x' of undefined";
  const detail = `TypeError: ${message} (charge.ts:7:26)`;
  expect(failureText({ ...failure, detail, errors: { error: [message] } }, style)).toBe(`error: ${detail}`);
});

test('messages that the sentence does not have are printed, with their fields', () => {
  const errors = { error: ['no'], 'data.number': ['is required'] };
  expect(
    failureText({ ...failure, detail: 'The reactor failed: not JSON.', errors }, style).split('\n'),
  ).toEqual(['error: The reactor failed: not JSON.', '  error: no', '  data.number: is required']);
});
