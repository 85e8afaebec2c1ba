import type { Context } from '../../command.js';
import { withControl } from '../shared/running-emulator.js';

interface ResendOptions {
  id: string[];
  times?: number | undefined;
  shuffle?: boolean | undefined;
}

export async function run({ id: ids, times, shuffle }: ResendOptions, context: Context): Promise<void> {
  const body = {
    ...(ids.length > 0 && { ids }),
    ...(times !== undefined && { times }),
    ...(shuffle && { shuffle }),
  };
  const result = await withControl(context, (control) => control.call('webhookEvents.resend', { body }));
  await context.output.result(result, { redaction: 'plain' });
}
