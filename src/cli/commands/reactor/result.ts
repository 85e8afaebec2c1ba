import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { REACTION_VIEW } from './view.js';

export async function run(
  { reactor, requestId }: { reactor: string; requestId: string },
  { client, output }: Context,
): Promise<void> {
  const id = await resolveReactorId(client, reactor);
  const result = await client.call('reactors.result', { path: { id, request_id: requestId } });
  await output.result(result, REACTION_VIEW);
}
