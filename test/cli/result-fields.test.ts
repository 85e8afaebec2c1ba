import { expect, test } from 'vitest';
import { loadDefinitions } from '../../src/cli/definitions/index.js';
import { assertResultFields } from '../../src/cli/result-fields.js';

const { commands } = await loadDefinitions();

test.each(commands.flatMap(({ name, prints }) => (prints ? [{ name, prints }] : [])))(
  '$name accepts the fields of its result and refuses others',
  ({ prints }) => {
    const hintOf = (fields: string[]) => {
      try {
        assertResultFields(prints, fields);
      } catch (error) {
        return (error as { failure: { hint: string } }).failure.hint;
      }
      return undefined;
    };
    const fields = hintOf(['nosuch'])?.replace('Fields: ', '').split(', ') ?? [];
    expect(fields).not.toEqual([]);
    expect(hintOf(fields)).toBeUndefined();
    expect(hintOf([...fields, 'nosuch.deeper'])).toBeDefined();
  },
);

test('fields inside of others are not checked, since their names can be anything', () => {
  expect(() => assertResultFields('tokens.list', ['metadata.customer', 'data.number'])).not.toThrow();
});
