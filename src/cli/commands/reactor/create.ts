import type { Context } from '../../command.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printItem } from '../shared/actor-names.js';
import { assertLoadable } from '../shared/check-code.js';
import { requireFlags } from '../shared/required-flags.js';
import { buildReactorBody, type ReactorOptions } from './body.js';
import { REACTOR_VIEW } from './view.js';

export async function run(options: ReactorOptions, context: Context): Promise<void> {
  const given = await buildReactorBody(options, context);
  const { '--name': name, '--code': code } = requireFlags({ '--name': given.name, '--code': given.code });
  const body = { ...given, name, code, configuration: given.configuration ?? {} };
  rejectPlaceholder(body);
  await assertLoadable({ code });
  await printItem(await context.client.call('reactors.create', { body }), REACTOR_VIEW, context);
}
