import type { Context } from '../../context.js';
import { printEvents } from '../shared/events.js';
import { reactorId } from '../shared/reactor.js';

/** What a reactor wrote to its console and which requests it made; an emulator keeps it, the service does not. */
export async function run(
  { reactor, follow = false }: { reactor: string; follow?: boolean | undefined },
  context: Context,
): Promise<void> {
  const id = await reactorId(reactor, context.client);
  await printEvents({ follow, passes: (event) => event.reactor_id === id }, context);
}
