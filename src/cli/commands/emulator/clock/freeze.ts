import type { Context } from '../../../command.js';
import type { TenantOption } from '../../shared/running-emulator.js';
import { changeClock } from './change.js';

export async function run(options: TenantOption, context: Context): Promise<void> {
  await changeClock({ frozen: true }, options, context);
}
