import type { Context } from '../../../command.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ name }: { name: string }, context: Context): Promise<void> {
  const path = `/snapshots/${encodeURIComponent(name)}/restore`;
  await withControl(context, (control) => control.call('POST', path));
  context.output.notice(`The emulator is as it was when ${name} was saved; its keys stay.`);
}
