import type { Context } from '../../command.js';
import { resolveReactorId } from '../../reactors/plan/lookup.js';
import { printEvents } from '../shared/events.js';

/** What a reactor wrote to its console and which requests it made; an emulator keeps it, the service does not. */
export async function run(
  { reactor, follow = false }: { reactor: string; follow?: boolean | undefined },
  context: Context,
): Promise<void> {
  const id = await resolveReactorId(context.client, reactor);
  await printEvents({ follow, passes: (event) => event.reactor_id === id }, context);
}
