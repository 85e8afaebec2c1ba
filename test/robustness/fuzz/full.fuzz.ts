import { it } from 'vitest';
import { fuzz } from './fuzz.js';

it('answers 10,000 generated requests as the contract says', async () => {
  const statuses = await fuzz(10_000);
  console.log(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
});
