import { expect, test } from 'vitest';
import { compareRemote } from '../../../../src/cli/tenant-config/apply/read-back.js';
import type { PlannedObject } from '../../../../src/cli/tenant-config/plan/plan.js';
import type { Stored } from '../../../../src/cli/tenant-config/resources/content.js';
import { reactor } from '../plan/support.js';

const ID = reactor({}).id;
const OTHER = '22222222-2222-4222-8222-222222222222';
const BEFORE = reactor({ code: 'old' });

/** With this code, which it has got since. */
const modified = (code: string) => reactor({ code }, { modifiedAt: '2026-01-02' });

test.each<[string, string, Stored | undefined, string | undefined, Stored[]]>([
  ['a new object that is there', 'written', undefined, ID, [reactor({ code: 'new' })]],
  ['a new object that is gone', 'removed', undefined, ID, []],
  ['a new object without an answer', 'untouched', undefined, undefined, [reactor({ name: 'another' })]],
  ['a new object without an answer, of whose name there is one', 'unknown', undefined, undefined, [BEFORE]],
  ['what has the new content', 'written', BEFORE, ID, [modified('new')]],
  ['what was not modified', 'untouched', BEFORE, ID, [BEFORE]],
  ['what was modified and has the former content', 'restored', BEFORE, ID, [modified('old')]],
  ['what has some other content', 'unknown', BEFORE, ID, [modified('theirs')]],
  ['what was deleted meanwhile', 'unknown', BEFORE, ID, [reactor({}, { id: OTHER })]],
])('after a failed write, %s counts as %s', (_, state, before, id, stored) => {
  const planned = { name: 'charge', before, desired: reactor({ code: 'new' }).content } as PlannedObject;
  expect(compareRemote(planned, id, new Map(stored.map((one) => [one.id, one])))).toBe(state);
});
