import type { Context } from '../../../command.js';
import { showClock } from './change.js';

export async function run({ duration }: { duration: string }, context: Context): Promise<void> {
  await showClock(context, { advance: duration });
}
