import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Content } from '../../../../src/cli/tenant-config/resources/content.js';
import {
  type Change,
  compareFields,
  formatChanges,
  hashFields,
  listFields,
} from '../../../../src/cli/tenant-config/resources/field.js';

const fields = (content: Content) => listFields('reactor', content);

function compareContent(one: Content, other: Content): Change[] {
  return compareFields(fields(one), fields(other));
}

function formatDiff(one: Content, other: Content): string {
  return formatChanges(other.name, compareContent(one, other), fields(one), fields(other));
}

const hashContent = (content: Content): string => hashFields(fields(content));

const before: Content = {
  name: 'charge',
  code: 'one\ntwo\nthree\n',
  configuration: { KEEP: 'same', CHANGE: 'old-secret', DROP: 'dropped-secret' },
  application: null,
};
const after: Content = {
  ...before,
  code: 'one\n2\nthree\n',
  configuration: { KEEP: 'same', CHANGE: 'new-secret', ADD: 'added-secret' },
  application: '8a9a0a4e-0f0c-4c43-9b7a-1d1d2a6c1f00',
};

describe('compareFields, formatChanges and hashFields', () => {
  test('list each difference by name', () => {
    expect(compareContent(before, after)).toEqual([
      { field: 'code', change: 'changed' },
      { field: 'application', change: 'added', after: after.application },
      { field: 'configuration.ADD', change: 'added' },
      { field: 'configuration.CHANGE', change: 'changed' },
      { field: 'configuration.DROP', change: 'removed' },
    ]);
  });

  test('no configuration value is ever in a diff', () => {
    const value = fc.string({ minLength: 12, maxLength: 30, unit: fc.constantFrom(...'abcdef0123456789') });
    const map = fc.dictionary(fc.constantFrom('A', 'B', '__proto__', 'toString'), value);
    fc.assert(
      fc.property(map, map, (one, other) => {
        const diff = formatDiff({ ...before, configuration: one }, { ...before, configuration: other });
        for (const secret of [...Object.values(one), ...Object.values(other)])
          expect(diff).not.toContain(secret);
      }),
    );
  });

  test('the diff of the code is a patch that results in the new code', () => {
    const code = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '+', '-x'), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(code, code, (one, other) => {
        fc.pre(one !== '' && one !== other);
        const diff = formatDiff({ ...before, code: one }, { ...before, code: other });
        expect(applyPatch(one, `${diff}\n`)).toBe(other);
      }),
    );
  });

  test('hashes are equal if and only if nothing but the values of secrets differs', () => {
    const content = fc.record({
      name: fc.constantFrom('a', 'b'),
      code: fc.constantFrom('x', 'y'),
      configuration: fc.dictionary(fc.constantFrom('A', 'B'), fc.constantFrom('1', '2')),
      application: fc.constantFrom(null, 'id'),
    });
    fc.assert(
      fc.property(content, content, (one, other) => {
        const isValue = (one: Change) => one.field.startsWith('configuration.') && one.change === 'changed';
        const same = compareContent(one, other).every(isValue);
        expect(hashContent(one) === hashContent(other)).toBe(same);
      }),
    );
  });

  test('the order of configuration names does not matter', () => {
    const reversed = Object.fromEntries(Object.entries(before.configuration ?? {}).reverse());
    expect(hashContent({ ...before, configuration: reversed })).toBe(hashContent(before));
  });
});
