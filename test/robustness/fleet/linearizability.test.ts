import { expect, it } from 'vitest';
import { isExplained, type Observed } from './linearizability.js';

const at = (start: number, end: number | undefined, rest: Omit<Observed, 'start' | 'end'>): Observed => ({
  start,
  ...(end !== undefined && { end }),
  ...rest,
});
const create = { kind: 'create', value: 'a', found: false } as const;
const read = (value: string) => ({ kind: 'read', value, found: true }) as const;
const missing = { kind: 'read', found: false } as const;

it.each<[string, Observed[]]>([
  [
    'operations one after the other',
    [at(0, 1, create), at(2, 3, read('a')), at(4, 5, { kind: 'delete', found: true })],
  ],
  ['a read during a creation, before it', [at(0, 9, create), at(1, 2, missing)]],
  ['a read during a creation, after it', [at(0, 9, create), at(1, 2, read('a')), at(3, 4, read('a'))]],
  [
    'a creation without an answer that happened late',
    [at(0, undefined, { kind: 'create', value: 'a' }), at(1, 2, missing), at(3, 4, read('a'))],
  ],
  [
    'a creation without an answer that never happened',
    [at(0, undefined, { kind: 'create', value: 'b' }), at(1, 2, create), at(3, 4, read('a'))],
  ],
])('the checker of histories explains %s', (_, history) => expect(isExplained(history)).toBe(true));

it.each<[string, Observed[]]>([
  ['a value that nobody wrote', [at(0, 1, create), at(2, 3, read('b'))]],
  ['a lost creation', [at(0, 1, create), at(2, 3, missing)]],
  ['two creations', [at(0, 1, create), at(0, 1, { ...create, value: 'b' })]],
  ['a value that comes and goes', [at(0, 9, create), at(1, 2, read('a')), at(3, 4, missing)]],
  [
    'an old value after a new one',
    [
      at(0, 1, create),
      at(2, 9, { kind: 'update', value: 'b', found: true }),
      at(3, 4, read('b')),
      at(5, 6, read('a')),
    ],
  ],
  [
    'a deletion without an answer that is undone',
    [at(0, 1, create), at(2, undefined, { kind: 'delete' }), at(3, 4, missing), at(5, 6, read('a'))],
  ],
])('the checker of histories finds %s', (_, history) => expect(isExplained(history)).toBe(false));
