import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { applyAccess, readAccess } from './access/apply-access.js';
import { runWatched, type WatchOptions } from './leaks/run-watched.js';
import { type CommandOptions, runCommand, withTemporaryEmulator } from './temporary-emulator.js';

interface ExecOptions extends CommandOptions, WatchOptions {
  access?: string | undefined;
  failOnLeak?: boolean | undefined;
}

/** Runs a command with a temporary emulator and returns its exit code. */
export async function run(options: ExecOptions, context: Context): Promise<number> {
  const { access: file, failOnLeak = false, watchDir, dataHost, ignore } = options;
  if (!failOnLeak && (watchDir ?? dataHost ?? ignore))
    throw usageError('--watch-dir, --data-host and --ignore need --fail-on-leak.');
  const access = file === undefined ? undefined : await readAccess(file, context);
  const purpose = 'tokenctl emulator exec';
  if (failOnLeak) return runWatched(options, purpose, access, context);
  const own = { purpose, ...(access && { tenantAccess: access }) };
  return withTemporaryEmulator(options, own, context, async ({ emulator, env }) => {
    if (access) await applyAccess(access, emulator, context);
    return runCommand(options.command, env, context);
  });
}
