import type { Context } from '../../command.js';
import { withControl } from '../shared/running-emulator.js';

export async function run(_options: object, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('reset'));
  context.output.notice('The emulator is as new: no tokens, no reactors; tenant and keys stay.');
}
