import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { countOf } from '../../lib/count.js';
import { parseJson } from '../../lib/json.js';
import { readTextFile } from '../../lib/text-file.js';
import { callControl, requireRunningState, type TenantOption } from '../shared/running-emulator.js';
import { prepareSeed } from '../shared/seed.js';

export async function resetData({ tenant }: TenantOption, context: Context): Promise<void> {
  await callControl(context, 'reset', { tenant });
  const what = tenant === undefined ? 'the emulator' : `tenant ${tenant}`;
  context.output.notice(`Deleted all data of ${what}. The tenant and its keys are kept.`);
}

export async function seedData({ file }: { file: string }, context: Context): Promise<void> {
  const seed = await prepareSeed(file, context);
  // Always the emulator of this directory, even if other commands have another target.
  const { createClient } = await import('../../../client/client.js');
  const { base_url, header_prefix, certificate, keys = {} } = await requireRunningState(context);
  const client = createClient({
    baseUrl: base_url,
    apiKey: keys,
    headerPrefix: header_prefix,
    certificate,
    signal: context.signal,
  });
  try {
    const created = await seed(client);
    context.output.notice(`Created ${countOf(created, 'item')}. Existing items are unchanged.`);
  } finally {
    await client.close();
  }
}

export async function exportTenant(
  { file, tenant }: { file: string; tenant?: string | undefined },
  context: Context,
): Promise<void> {
  const id = tenant ?? (await requireRunningState(context)).tenant_id ?? '';
  const content = await callControl(context, 'tenants.export', { path: { id } });
  const text = JSON.stringify(content, null, 2);
  if (file === '-') return context.output.text(text);
  await writeFileAtomically(resolve(context.settings.cwd, file), `${text}\n`);
  context.output.notice(`Exported the tenant to ${file}. The file contains token data and secrets.`);
}

export async function importTenant({ file }: { file: string }, context: Context): Promise<void> {
  const content = parseJson(await readTextFile(resolve(context.settings.cwd, file), file), file);
  await callControl(context, 'tenants.import', { body: content });
  context.output.notice(`Imported the tenant in ${file}. \`tokenctl emulator keys\` shows its keys.`);
}
