import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { assertLoadable } from '../shared/check-code.js';
import { readPatch } from '../shared/patch.js';
import { buildReactorBody, type ReactorOptions } from './body.js';

interface UpdateOptions extends ReactorOptions {
  reactor: string;
  patch?: string | undefined;
}

export async function run(options: UpdateOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const body = await readPatch(
    options.patch,
    await buildReactorBody(options, context),
    context,
    '--name, --code, --config',
  );
  rejectPlaceholder(body);
  if (typeof body.code === 'string') await assertLoadable({ code: body.code });
  const id = await resolveReactorId(client, options.reactor);
  await client.call('reactors.update', { path: { id }, body });
  output.notice(`Updated reactor ${options.reactor}.`);
}
