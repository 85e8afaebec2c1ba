import type { Context } from '../../command.js';
import { rejectPlaceholder } from '../shared/input.js';
import { buildReactorBody, type ReactorOptions, requireFlag } from './body.js';
import { REACTOR_VIEW } from './view.js';

export async function run(options: ReactorOptions, context: Context): Promise<void> {
  const given = await buildReactorBody(options, context);
  const body = {
    ...given,
    name: requireFlag(given.name, '--name'),
    code: requireFlag(given.code, '--code'),
    configuration: given.configuration ?? {},
  };
  rejectPlaceholder(body);
  await context.output.result(await context.client.call('reactors.create', { body }), REACTOR_VIEW);
}
