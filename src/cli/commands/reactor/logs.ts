import type { Context } from '../../command.js';
import { resolveId } from '../../lib/lookup.js';
import { DeployedPositions } from '../../reactors/build/deployed-positions.js';
import { printEvents } from '../shared/events.js';
import { keepProjectSecrets } from './shared/project-secrets.js';

/**
 * Prints the console output and requests of a reactor. Only an emulator keeps them. Stack traces name positions of the sources
 * if the project has them.
 */
export async function run(
  { reactor, follow = false }: { reactor: string; follow?: boolean | undefined },
  context: Context,
): Promise<void> {
  await keepProjectSecrets(context);
  const id = await resolveId(context.client, 'reactor', reactor);
  const positions = new DeployedPositions(context.client, context.settings.cwd);
  await printEvents(
    {
      follow,
      passes: (event) => 'reactor_id' in event && event.reactor_id === id,
      convert: async (event) =>
        event.kind === 'reactor.log'
          ? { ...event, message: await positions.replace(id, event.message) }
          : event,
    },
    context,
  );
}
