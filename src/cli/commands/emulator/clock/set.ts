import type { Context } from '../../../command.js';
import { showClock } from './change.js';

export async function run({ time }: { time: string }, context: Context): Promise<void> {
  await showClock(context, { now: time });
}
