import { resolve } from 'node:path';
import type { Context } from '../../../command.js';
import { writeFileAtomically } from '../../../lib/atomic-write.js';
import { requireRunningState, withControl } from '../../shared/running-emulator.js';

export async function run(
  { file, tenant }: { file: string; tenant?: string | undefined },
  context: Context,
): Promise<void> {
  const id = tenant ?? (await requireRunningState(context)).tenant_id ?? '';
  const content = await withControl(context, (control) => control.call('tenants.export', { path: { id } }));
  const text = JSON.stringify(content, null, 2);
  if (file === '-') return context.output.text(text);
  await writeFileAtomically(resolve(context.settings.cwd, file), `${text}\n`);
  context.output.notice(`Exported the tenant to ${file}. The file contains token data and secrets.`);
}
