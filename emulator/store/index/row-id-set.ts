import type { SortedRowIds } from './sorted-row-ids.js';

/** Up to so many slots are handled one by one; more of them as bits, 32 at a time. */
export const FEW = 2000;

/** The slots a condition gives: an index's own ordered list, a few, a bit per slot, or all but some. */
export type RowIdSet =
  | { kind: 'list'; list: SortedRowIds }
  | { kind: 'few'; slots: Set<number> }
  | { kind: 'bits'; bits: Uint32Array; size: number }
  | { kind: 'except'; set: RowIdSet; all: SortedRowIds };

export function sizeOf(set: RowIdSet): number {
  if (set.kind === 'list') return set.list.size;
  if (set.kind === 'few') return set.slots.size;
  if (set.kind === 'bits') return set.size;
  return set.all.size - sizeOf(set.set);
}

export function contains(set: RowIdSet, slot: number): boolean {
  if (set.kind === 'list') return set.list.has(slot);
  if (set.kind === 'few') return set.slots.has(slot);
  if (set.kind === 'bits') return ((set.bits[slot >>> 5] as number) & (1 << (slot & 31))) !== 0;
  return !contains(set.set, slot);
}

export function* rowIdsOf(set: RowIdSet): Generator<number> {
  if (set.kind === 'list') yield* set.list;
  else if (set.kind === 'few') yield* set.slots;
  else if (set.kind === 'bits') yield* slotsOfBits(set.bits);
  else for (const slot of set.all) if (!contains(set.set, slot)) yield slot;
}

function* slotsOfBits(bits: Uint32Array): Generator<number> {
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      yield word * 32 + 31 - Math.clz32(rest & -rest);
    }
  }
}

/** Few or many, from slots that may repeat. */
export function collect(slots: Iterable<number>, capacity: number): RowIdSet {
  const few = new Set<number>();
  const iterator = slots[Symbol.iterator]();
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    few.add(next.value);
    if (few.size > FEW) return collectBits(few, iterator, capacity);
  }
  return { kind: 'few', slots: few };
}

function collectBits(few: Set<number>, rest: Iterator<number>, capacity: number): RowIdSet {
  const bits = new Uint32Array((capacity >>> 5) + 1);
  const set = (slot: number) => {
    bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
  };
  for (const slot of few) set(slot);
  for (let next = rest.next(); !next.done; next = rest.next()) set(next.value);
  return fromBits(bits);
}

export function intersect(sets: RowIdSet[], capacity: number): RowIdSet {
  const [smallest, ...others] = [...sets].sort((a, b) => sizeOf(a) - sizeOf(b)) as [RowIdSet, ...RowIdSet[]];
  if (others.length === 0) return smallest;
  if (sizeOf(smallest) <= FEW) {
    const slots = new Set<number>();
    for (const slot of rowIdsOf(smallest)) {
      if (others.every((other) => contains(other, slot))) slots.add(slot);
    }
    return { kind: 'few', slots };
  }
  const bits = toBits(smallest, capacity).slice();
  for (const other of others) {
    const mask = toBits(other, capacity);
    for (let i = 0; i < bits.length; i += 1) bits[i] = (bits[i] as number) & (mask[i] ?? 0);
  }
  return fromBits(bits);
}

export function unite(sets: RowIdSet[], capacity: number): RowIdSet {
  const [first] = sets;
  if (sets.length === 1 && first !== undefined) return first;
  if (sets.reduce((sum, set) => sum + sizeOf(set), 0) <= FEW) {
    const slots = new Set<number>();
    for (const set of sets) for (const slot of rowIdsOf(set)) slots.add(slot);
    return { kind: 'few', slots };
  }
  const bits = new Uint32Array((capacity >>> 5) + 1);
  for (const set of sets) {
    const mask = toBits(set, capacity);
    for (let i = 0; i < bits.length; i += 1) bits[i] = (bits[i] as number) | (mask[i] ?? 0);
  }
  return fromBits(bits);
}

function toBits(set: RowIdSet, capacity: number): Uint32Array {
  if (set.kind === 'bits') return set.bits;
  if (set.kind === 'list') return set.list.bits();
  const bits = new Uint32Array((capacity >>> 5) + 1);
  if (set.kind === 'few') {
    for (const slot of set.slots) bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
    return bits;
  }
  const all = set.all.bits();
  const without = toBits(set.set, capacity);
  for (let i = 0; i < bits.length; i += 1) bits[i] = (all[i] ?? 0) & ~(without[i] ?? 0);
  return bits;
}

function fromBits(bits: Uint32Array): RowIdSet {
  let size = 0;
  for (let i = 0; i < bits.length; i += 1) size += bitCount(bits[i] as number);
  return { kind: 'bits', bits, size };
}

function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
