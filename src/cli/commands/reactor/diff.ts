import type { Context } from '../../command.js';
import { shellQuote } from '../../lib/shell-quote.js';
import { REACTORS_ONLY } from '../../tenant-config/declaration/read-config.js';
import { type DiffFlags, runDiff } from '../shared/tenant-config/plan.js';

export async function run(flags: DiffFlags, context: Context): Promise<void> {
  const files = (flags.file ?? []).map(shellQuote);
  await runDiff(REACTORS_ONLY, flags, context, ['tokenctl reactor deploy', ...files].join(' '));
}
