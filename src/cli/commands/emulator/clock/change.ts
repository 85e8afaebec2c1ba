import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

/** Asks for the clock, after a change when one is given, and prints it. */
export async function showClock(context: Context, change?: object): Promise<void> {
  const clock = await withControl(context, (control) =>
    change ? control.call('PUT', '/clock', change) : control.call('GET', '/clock'),
  );
  await context.output.result(clock, { redaction: 'plain' });
}
