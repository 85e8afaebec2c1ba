import { expect, it } from 'vitest';
import { width } from '../../support/width.js';
import { killRepeatedly } from './run.js';

const ROUNDS = width(3, 1_000);

it(`a store whose process is killed ${ROUNDS} times keeps acknowledged changes and erases deleted data`, async () => {
  expect(await killRepeatedly(ROUNDS, () => {})).toEqual([]);
});
