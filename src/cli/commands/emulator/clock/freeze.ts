import type { Context } from '../../../command.js';
import { showClock } from './change.js';

export async function run(_options: object, context: Context): Promise<void> {
  await showClock(context, { frozen: true });
}
