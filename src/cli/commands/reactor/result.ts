import type { Context } from '../../command.js';
import { resolveId } from '../../lib/lookup.js';
import { REACTION_VIEW } from '../../output/view.js';
import { keepProjectSecrets } from './shared/project-secrets.js';

export async function run(
  { reactor, requestId }: { reactor: string; requestId: string },
  context: Context,
): Promise<void> {
  const { client, output } = context;
  await keepProjectSecrets(context);
  const id = await resolveId(client, 'reactor', reactor);
  const result = await client.call('reactors.result', { path: { id, request_id: requestId } });
  await output.result(result, REACTION_VIEW);
}
