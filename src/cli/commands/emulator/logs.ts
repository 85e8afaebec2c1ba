import type { Context } from '../../command.js';
import { printEvents } from '../shared/events.js';

export async function run(
  { follow = false, kind }: { follow?: boolean | undefined; kind?: string[] | undefined },
  context: Context,
): Promise<void> {
  await printEvents({ follow, passes: (event) => !kind || kind.includes(event.kind) }, context);
}
