import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { parseJson } from '../../lib/json.js';
import { readTextFile } from '../../lib/text-file.js';
import { requireRunningState, withControl } from '../shared/running-emulator.js';

export async function exportTenant(
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

export async function importTenant({ file }: { file: string }, context: Context): Promise<void> {
  const content = parseJson(await readTextFile(resolve(context.settings.cwd, file), file), file);
  await withControl(context, (control) => control.call('tenants.import', { body: content }));
  context.output.notice(`Imported the tenant in ${file}. \`tokenctl emulator keys\` shows its keys.`);
}
