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

test('prose is broken between words, and not within a command', () => {
  const detail = 'The password does not belong into the URL.';
  const hint = 'Use PGPASSWORD or a password file.';
  expect(failureText({ ...failure, detail, hint }, style, 30).split('\n')).toEqual([
    'error: The password does not',
    '       belong into the URL.',
    'hint: Use PGPASSWORD or a',
    '      password file.',
  ]);
  expect(failureText({ ...failure, detail: 'In use by process 1 (tokenctl emulator).' }, style, 30)).toBe(
    'error: In use by process 1\n       (tokenctl emulator).',
  );
  const command = 'Start it: tokenctl emulator start --port 0';
  expect(failureText({ ...failure, detail: 'No.', hint: command }, style, 30)).toBe(
    'error: No.\nhint: Start it:\n      tokenctl emulator start --port 0',
  );
  const quoted = 'Stop it with `tokenctl emulator stop`, or (tokenctl emulator list) another.';
  expect(failureText({ ...failure, detail: quoted }, style, 33)).toBe(
    'error: Stop it with\n       `tokenctl emulator stop`,\n       or\n       (tokenctl emulator list)\n       another.',
  );
});
