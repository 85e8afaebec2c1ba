import type { Context } from '../../command.js';
import { printEvents } from '../shared/events.js';
import type { TenantOption } from '../shared/running-emulator.js';

interface LogOptions extends TenantOption {
  follow?: boolean | undefined;
  kind?: string[] | undefined;
}

export async function run({ follow = false, kind, tenant }: LogOptions, context: Context): Promise<void> {
  await printEvents({ follow, tenant, passes: (event) => !kind || kind.includes(event.kind) }, context);
}
