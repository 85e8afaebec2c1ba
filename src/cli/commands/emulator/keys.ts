import type { Context } from '../../command.js';
import { readStateFile, resolveDataDir } from '../../config/state-file.js';
import { CliError } from '../../lib/errors.js';

/** Prints the keys from the state file. They do not change between starts, so the emulator need not run. */
export async function run(_options: object, { output, settings }: Context): Promise<void> {
  const state = await readStateFile(settings);
  if (!state?.keys)
    throw new CliError('failed', `No emulator has been started on ${resolveDataDir(settings)}.`, {
      hint: 'Start one with `tokenctl emulator start`, or set --data-dir.',
    });
  const { tenant_id, keys, webhook_secret } = state;
  await output.result({ tenant_id, keys, webhook_secret }, { redaction: 'plain' });
}
