import type { Context } from '../../../command.js';
import { countOf } from '../../../lib/count.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

export async function run(
  { name, tenant }: { name: string } & TenantOption,
  context: Context,
): Promise<void> {
  const { tokens } = await withControl(context, (control) =>
    control.call('snapshots.save', { tenant, body: { name } }),
  );
  context.output.notice(`Saved snapshot ${name} with ${countOf(tokens, 'token')} and all other data.`);
}
