import type { ClockChange } from '../../../contract/control/clock.js';
import type { Context } from '../../command.js';
import { type TenantOption, withControl } from '../shared/running-emulator.js';

/** Prints the clock of the emulator, or of a tenant. */
export async function showClock({ tenant }: TenantOption, context: Context): Promise<void> {
  const clock = await withControl(context, (control) => control.call('clock.get', { tenant }));
  await context.output.result(clock, { redaction: 'plain' });
}

export const setClock = ({ time, tenant }: { time: string } & TenantOption, context: Context) =>
  changeClock({ now: time }, tenant, context);

export const advanceClock = ({ duration, tenant }: { duration: string } & TenantOption, context: Context) =>
  changeClock({ advance: duration }, tenant, context);

export const freezeClock = ({ tenant }: TenantOption, context: Context) =>
  changeClock({ frozen: true }, tenant, context);

export const resumeClock = ({ tenant }: TenantOption, context: Context) =>
  changeClock({ frozen: false }, tenant, context);

/** Changes the clock and prints it, with what became due and could not be delivered in time. */
async function changeClock(change: ClockChange, tenant: string | undefined, context: Context): Promise<void> {
  const { output } = context;
  const clock = await withControl(context, (control) =>
    control.call('clock.change', { tenant, body: change }),
  );
  const { length } = clock.pending;
  if (length > 0)
    output.notice(`${length === 1 ? 'One delivery is' : `${length} deliveries are`} due and still pending.`);
  await output.result(clock, { redaction: 'plain' });
}
