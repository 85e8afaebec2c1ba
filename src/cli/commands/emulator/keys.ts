import type { Context } from '../../command.js';
import { readStateFile, resolveDataDir } from '../../config/state-file.js';
import { CliError } from '../../lib/errors.js';

/** From the state file: the keys stay the same from start to start, so that the emulator need not run. */
export async function run(_options: object, { output, settings }: Context): Promise<void> {
  const state = await readStateFile(settings);
  if (!state?.keys)
    throw new CliError('failed', `There is no emulator on ${resolveDataDir(settings)}.`, {
      hint: 'Start one with `tokenctl emulator start`, or name its --data-dir.',
    });
  const { tenant_id, keys, webhook_secret } = state;
  await output.result({ tenant_id, keys, webhook_secret }, { redaction: 'plain' });
}
