import { expect, test } from 'vitest';
import { filterWithJq } from '../../../src/cli/output/jq.js';

test('--jq takes a list of any length: its time grows with the list, not with its square', async () => {
  const tokens = Array.from({ length: 8_000 }, (_, n) => ({ id: `token-${n}`, note: 'x'.repeat(400) }));
  expect(await filterWithJq(tokens, 'length', { compact: false })).toBe('8000');
  expect((await filterWithJq(tokens, '.[].note', { compact: true })).length).toBe(8_000 * 401 - 1);
});

test.each(['.[0].id, error("no")', '.[] | .id.x', '.[0].id, ("no" | halt_error)'])(
  'an expression that fails is an error, also after its first result: %s',
  async (expression) => {
    await expect(filterWithJq([{ id: 'a' }], expression, { compact: false })).rejects.toThrow(
      '--jq failed: ',
    );
  },
);
