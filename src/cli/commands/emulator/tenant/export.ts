import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../../command.js';
import { runningState, withControl } from '../../shared/running-emulator.js';

export async function run(
  { file, tenant }: { file: string; tenant?: string | undefined },
  context: Context,
): Promise<void> {
  const id = tenant ?? (await runningState(context)).tenant_id ?? '';
  const path = `/tenants/${encodeURIComponent(id)}/file`;
  const content = await withControl(context, (control) => control.call('GET', path));
  const text = JSON.stringify(content, null, 2);
  if (file === '-') return context.output.text(text);
  await writeFile(resolve(context.settings.cwd, file), `${text}\n`, { mode: 0o600 });
  context.output.notice(`Wrote the tenant to ${file}, token data and secrets as they are.`);
}
