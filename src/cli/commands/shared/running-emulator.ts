import { type Control, createControl } from '../../../client/control.js';
import type { Context } from '../../command.js';
import { type RunningState, readRunningState, resolveDataDir } from '../../config/state-file.js';
import { CliError } from '../../lib/errors.js';

/** @throws {CliError} when no emulator runs for this directory. */
export async function requireRunningState({ settings }: Context): Promise<RunningState> {
  const state = await readRunningState(settings);
  if (state) return state;
  throw new CliError('failed', `No emulator is running on ${resolveDataDir(settings)}.`, {
    hint: 'Start one with `tokenctl emulator start`, or name its --data-dir.',
  });
}

/** Does something with the control endpoints of the running emulator. */
export async function withControl<Result>(
  context: Context,
  act: (control: Control) => Promise<Result>,
): Promise<Result> {
  const control = await createControl(await requireRunningState(context), context.signal);
  try {
    return await act(control);
  } finally {
    await control.close();
  }
}
