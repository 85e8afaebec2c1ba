import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import type { Context } from '../../command.js';
import { RESTART_EMULATOR } from '../../config/keys.js';
import { readStateFile, resolveDataDir } from '../../config/state-file.js';
import { CliError } from '../../lib/errors.js';

/** Prints the keys from the state file, which holds those that work. The emulator need not run. */
export async function run(_options: object, { output, settings }: Context): Promise<void> {
  const state = await readStateFile(settings);
  if (!state?.keys)
    throw new CliError('failed', `No emulator has been started on ${resolveDataDir(settings)}.`, {
      hint: 'Start one with `tokenctl emulator start`, or set --data-dir.',
    });
  const { tenant_id, keys, webhook_secret } = state;
  await output.result({ tenant_id, keys, webhook_secret }, { redaction: 'plain' });
  for (const type of APPLICATION_TYPES.filter((name) => keys[name] === undefined))
    output.warn(`The ${type} key was deleted or has expired. A start creates a new one: ${RESTART_EMULATOR}`);
}
