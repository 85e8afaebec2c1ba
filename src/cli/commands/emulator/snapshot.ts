import type { Context } from '../../command.js';
import { countOf } from '../../lib/count.js';
import { type TenantOption, withControl } from '../shared/running-emulator.js';

export async function saveSnapshot(
  { name, tenant }: { name: string } & TenantOption,
  context: Context,
): Promise<void> {
  const { tokens } = await withControl(context, (control) =>
    control.call('snapshots.save', { tenant, body: { name } }),
  );
  context.output.notice(`Saved snapshot ${name} with ${countOf(tokens, 'token')} and all other data.`);
}

export async function restoreSnapshot(
  { name, tenant }: { name: string } & TenantOption,
  context: Context,
): Promise<void> {
  await withControl(context, (control) => control.call('snapshots.restore', { tenant, path: { name } }));
  context.output.notice(`Restored snapshot ${name}. The seeded keys are unchanged.`);
}

export async function listSnapshots({ tenant }: TenantOption, context: Context): Promise<void> {
  const { snapshots } = await withControl(context, (control) => control.call('snapshots.list', { tenant }));
  await context.output.list(snapshots, {
    redaction: 'plain',
    columns: [
      { title: 'NAME', field: 'name', importance: 2 },
      { title: 'TOKENS', field: 'tokens' },
      { title: 'SAVED', field: 'created_at', format: 'time', importance: 1 },
    ],
    empty: 'No snapshots.',
  });
}
