import type { ClockChange } from '../../../../contract/control/clock.js';
import type { Context } from '../../../command.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

/** Prints the clock of the emulator, or of a tenant. */
export async function showClock({ tenant }: TenantOption, context: Context): Promise<void> {
  const clock = await withControl(context, (control) => control.call('clock.get', { tenant }));
  await context.output.result(clock, { redaction: 'plain' });
}

/** Changes the clock and prints it, with what became due and could not be delivered in time. */
export async function changeClock(
  change: ClockChange,
  { tenant }: TenantOption,
  context: Context,
): Promise<void> {
  const clock = await withControl(context, (control) =>
    control.call('clock.change', { tenant, body: change }),
  );
  const { length } = clock.pending;
  if (length > 0)
    context.output.notice(
      `${length === 1 ? 'One delivery is' : `${length} deliveries are`} due and still pending.`,
    );
  await context.output.result(clock, { redaction: 'plain' });
}
