import { median } from './measurement.js';

/** Many short rounds: what else the machine does then hits a few of them, and the median hardly. */
const ROUNDS = 60;
const ROUND_MS = 150;
const WARM_UP_MS = 3000;

/** Works for a number of milliseconds and returns what it did per second. */
export type Rate = (ms: number) => Promise<number>;

/** Measures both in turn, so that what else the machine does hits both; returns the median ratio. */
export async function compareRates(baseline: Rate, subject: Rate): Promise<{ ratio: number; more: string }> {
  await baseline(WARM_UP_MS);
  await subject(WARM_UP_MS);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = await baseline(ROUND_MS);
    const rate = await subject(ROUND_MS);
    ratios.push(rate / base);
    rates.push(rate);
  }
  return { ratio: median(ratios), more: ` (${Math.round(median(rates))}/s)` };
}
