import { expect, test } from 'vitest';
import { filterWithJq } from '../../../src/cli/output/jq.js';

test('--jq takes a list of any length: its time grows with the list, not with its square', async () => {
  const tokens = Array.from({ length: 8_000 }, (_, n) => ({ id: `token-${n}`, note: 'x'.repeat(400) }));
  expect(await filterWithJq(tokens, 'length', { compact: false })).toBe('8000');
  expect((await filterWithJq(tokens, '.[].note', { compact: true })).length).toBe(8_000 * 401 - 1);
});
