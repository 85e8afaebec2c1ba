import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printItem } from '../shared/actor-names.js';
import { assertLoadable } from '../shared/check-code.js';
import { requireFlags } from '../shared/required-flags.js';
import { buildReactorBody, type ReactorOptions } from './body.js';
import { REACTOR_VIEW } from './view.js';

const REPLACE_HINT =
  '`reactor replace` replaces the whole reactor; to change parts of it, use `tokenctl reactor update`.';

export async function run(options: ReactorOptions & { reactor: string }, context: Context): Promise<void> {
  const { client } = context;
  const given = await buildReactorBody(options, context);
  const required = requireFlags(
    { '--name': given.name, '--code': given.code, '--config or --configuration': given.configuration },
    REPLACE_HINT,
  );
  const body = {
    ...given,
    name: required['--name'],
    code: required['--code'],
    configuration: required['--config or --configuration'],
  };
  rejectPlaceholder(body);
  await assertLoadable({ code: body.code });
  const id = await resolveReactorId(client, options.reactor);
  await printItem(await client.call('reactors.replace', { path: { id }, body }), REACTOR_VIEW, context);
}
