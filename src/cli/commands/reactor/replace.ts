import type { Context } from '../../command.js';
import { resolveReactorId } from '../../reactors/plan/lookup.js';
import { rejectPlaceholder } from '../shared/input.js';
import { type ReactorOptions, reactorBody, required } from './body.js';
import { REACTOR_VIEW } from './view.js';

const NOTHING_STAYS = 'A replacement keeps nothing of what was there; `reactor update` does.';

export async function run(options: ReactorOptions & { reactor: string }, context: Context): Promise<void> {
  const { client, output } = context;
  const given = await reactorBody(options, context);
  const body = {
    ...given,
    name: required(given.name, '--name', NOTHING_STAYS),
    code: required(given.code, '--code', NOTHING_STAYS),
    configuration: required(given.configuration, '--config or --configuration', NOTHING_STAYS),
  };
  rejectPlaceholder(body);
  const id = await resolveReactorId(client, options.reactor);
  await output.result(await client.call('reactors.replace', { path: { id }, body }), REACTOR_VIEW);
}
