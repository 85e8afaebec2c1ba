import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { createIds } from '../../../emulator/lib/ids.js';

it('UUIDs are of version 4, each another one, of bits that are random wherever they may be', () => {
  const { uuid } = createIds();
  const drawn = Array.from({ length: 2_000 }, uuid);
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(drawn.every((id) => validate(id) && version(id) === 4)).toBe(true);

  const numbers = drawn.map((id) => BigInt(`0x${id.replaceAll('-', '')}`));
  const set = Array.from({ length: 128 }, (_, bit) => numbers.filter((n) => (n >> BigInt(bit)) & 1n).length);
  // From the right: version 0100 at 76, variant 10 at 62.
  const fixed = new Map(
    [76, 77, 79, 62]
      .map((bit) => [bit, 0])
      .concat([
        [78, 2_000],
        [63, 2_000],
      ]) as [number, number][],
  );
  for (const [bit, count] of set.entries()) {
    const always = fixed.get(bit);
    if (always !== undefined) expect([bit, count]).toEqual([bit, always]);
    // Off by eight standard deviations: never by chance.
    else expect(Math.abs(count - 1_000), `bit ${bit}`).toBeLessThan(180);
  }
});
