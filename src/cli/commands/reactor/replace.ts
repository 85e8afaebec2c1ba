import type { Context } from '../../command.js';
import { resolveReactorId } from '../../reactors/plan/lookup.js';
import { rejectPlaceholder } from '../shared/input.js';
import { buildReactorBody, type ReactorOptions, requireFlag } from './body.js';
import { REACTOR_VIEW } from './view.js';

const REPLACE_HINT =
  '`reactor replace` replaces the whole reactor; to change parts of it, use `tokenctl reactor update`.';

export async function run(options: ReactorOptions & { reactor: string }, context: Context): Promise<void> {
  const { client, output } = context;
  const given = await buildReactorBody(options, context);
  const body = {
    ...given,
    name: requireFlag(given.name, '--name', REPLACE_HINT),
    code: requireFlag(given.code, '--code', REPLACE_HINT),
    configuration: requireFlag(given.configuration, '--config or --configuration', REPLACE_HINT),
  };
  rejectPlaceholder(body);
  const id = await resolveReactorId(client, options.reactor);
  await output.result(await client.call('reactors.replace', { path: { id }, body }), REACTOR_VIEW);
}
