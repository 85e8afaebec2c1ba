import type { Context } from '../../command.js';
import { withControl } from '../shared/running-emulator.js';

export async function run(_options: object, context: Context): Promise<void> {
  await withControl(context, (control) => control.call('reset'));
  context.output.notice('Deleted all data of the emulator. The tenant and its keys are kept.');
}
