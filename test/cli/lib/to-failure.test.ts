import { expect, test } from 'vitest';
import { toFailure } from '../../../src/cli/lib/to-failure.js';
import { buildPath } from '../../../src/contract/operation-row.js';

/** The failure of a command whose path parameter is this id. */
function failureOf(id: string) {
  try {
    return buildPath('/tokens/{id}', { id });
  } catch (error) {
    return toFailure(error);
  }
}

test('an ID that cannot be encoded is wrong usage, and not blamed on a shell variable', () => {
  expect(failureOf('')).toMatchObject({ category: 'usage', hint: 'Is a shell variable unset?' });
  expect(failureOf('a\ud800')).toMatchObject({
    category: 'usage',
    detail: 'The id must be valid Unicode; it contains half of a surrogate pair.',
    hint: undefined,
  });
});
