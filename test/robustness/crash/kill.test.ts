import { expect, it } from 'vitest';
import { SWEEP_TIMEOUT_MS, width } from '../../support/width.js';
import { killRepeatedly } from './run.js';

const ROUNDS = width(3, 1_000);

it(`a store whose process is killed ${ROUNDS} times keeps acknowledged changes and erases deleted data`, {
  timeout: SWEEP_TIMEOUT_MS * 4,
}, async () => {
  expect(await killRepeatedly(ROUNDS, () => {})).toEqual([]);
});
