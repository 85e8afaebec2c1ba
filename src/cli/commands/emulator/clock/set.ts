import type { Context } from '../../../command.js';
import type { TenantOption } from '../../shared/running-emulator.js';
import { changeClock } from './change.js';

export async function run(
  { time, ...options }: { time: string } & TenantOption,
  context: Context,
): Promise<void> {
  await changeClock({ now: time }, options, context);
}
