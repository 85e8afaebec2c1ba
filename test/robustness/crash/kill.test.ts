import { expect, it } from 'vitest';
import { killAgainAndAgain } from './run.js';

it('keeps what was acknowledged and forgets what was deleted when the process is killed at any moment', async () => {
  expect(await killAgainAndAgain(20, () => {})).toEqual([]);
}, 240_000);
