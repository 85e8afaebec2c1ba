import type { EmulatorEvent } from '../../../contract/control/events.js';
import { EVENT_KINDS } from '../../../contract/control/vocabulary.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { newestLimit, printEvents } from '../shared/events.js';
import type { TenantOption } from '../shared/running-emulator.js';

interface LogOptions extends TenantOption {
  follow?: boolean | undefined;
  kind?: string[] | undefined;
  limit?: number | undefined;
}

export async function run(
  { follow = false, kind, limit, tenant }: LogOptions,
  context: Context,
): Promise<void> {
  const kinds = kind?.flatMap((list) => list.split(',')).map(knownKind);
  const passes = (event: EmulatorEvent) => !kinds || kinds.includes(event.kind);
  await printEvents({ follow, tenant, limit: newestLimit(limit, context), passes }, context);
}

/** A kind that does not exist would show nothing, or wait forever. @throws {CliError} that names those that do */
function knownKind(given: string): (typeof EVENT_KINDS)[number] {
  const found = EVENT_KINDS.find((kind) => kind === given.trim());
  if (found) return found;
  throw usageError(
    `--kind ${JSON.stringify(given)} is not a kind of event. Kinds: ${EVENT_KINDS.join(', ')}.`,
  );
}
