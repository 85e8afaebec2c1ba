// A world per test: WORLDS tests in each of 8 files, shuffled and at the same time, each with tokens, clock and faults of its own.
import { test } from 'tokenctl/vitest';
import { useWorld } from '../world.js';

for (let number = 0; number < Number(process.env.WORLDS); number++) {
  test(`world ${number}`, ({ tenant, client, clock, faults, expect }) =>
    useWorld(number, { tenant, client, clock, faults, expect }));
}
