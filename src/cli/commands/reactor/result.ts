import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { keepProjectSecrets } from './shared/project-secrets.js';
import { REACTION_VIEW } from './view.js';

export async function run(
  { reactor, requestId }: { reactor: string; requestId: string },
  context: Context,
): Promise<void> {
  const { client, output } = context;
  await keepProjectSecrets(context);
  const id = await resolveReactorId(client, reactor);
  const result = await client.call('reactors.result', { path: { id, request_id: requestId } });
  await output.result(result, REACTION_VIEW);
}
