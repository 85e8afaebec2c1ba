import type { Context } from '../../../context.js';
import { showClock } from './change.js';

export async function run({ duration }: { duration: string }, context: Context): Promise<void> {
  await showClock(context, { advance: duration });
}
