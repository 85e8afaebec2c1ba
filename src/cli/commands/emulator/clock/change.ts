import type { ClockChange } from '../../../../contract/control/clock.js';
import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

/** Changes the clock if a change is given, and prints it. */
export async function showClock(context: Context, change?: ClockChange): Promise<void> {
  const clock = await withControl(context, (control) =>
    change ? control.call('clock.change', { body: change }) : control.call('clock.get'),
  );
  await context.output.result(clock, { redaction: 'plain' });
}
