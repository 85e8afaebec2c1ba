import type { Context } from '../../command.js';
import { resolveReactorId } from '../../lib/lookup.js';
import { printEvents } from '../shared/events.js';

/** Prints the console output and requests of a reactor. Only an emulator keeps them. */
export async function run(
  { reactor, follow = false }: { reactor: string; follow?: boolean | undefined },
  context: Context,
): Promise<void> {
  const id = await resolveReactorId(context.client, reactor);
  await printEvents({ follow, passes: (event) => 'reactor_id' in event && event.reactor_id === id }, context);
}
