import { type ControlClient, createControlClient } from '../../../client/control.js';
import type { ControlArguments, ControlBody, JsonControlId } from '../../../contract/control/schemas.js';
import type { Context } from '../../command.js';
import { type RunningState, readRunningState, resolveDataDir } from '../../config/state-file.js';
import type { Options } from '../../flags/flag.js';
import { CliError, usageError } from '../../lib/errors.js';

export type TenantOption = Options<'tenant'>;

/** It is a usage error if the settings name a service, which commands for emulators cannot be about. */
export async function requireRunningState({ settings }: Context): Promise<RunningState> {
  const state = await readRunningState(settings);
  if (state) return state;
  const service = settings.baseUrl ?? settings.profile;
  if (service !== undefined)
    throw usageError(
      `This command exists for emulators only: it is not sent to ${service}, and no emulator is running on ${resolveDataDir(settings)}.`,
      'Name the data directory of the emulator with --data-dir.',
    );
  throw new CliError('failed', `No emulator is running on ${resolveDataDir(settings)}.`, {
    hint: 'Start one with `tokenctl emulator start`, or set --data-dir.',
  });
}

/** Returns the state of the emulator of this directory if that is the target; undefined for another service. */
export async function targetEmulator({ client, settings }: Context): Promise<RunningState | undefined> {
  const [{ transport }, state] = await Promise.all([client.connection(), readRunningState(settings)]);
  return state?.base_url === transport.url ? state : undefined;
}

export async function withControl<Result>(
  context: Context,
  act: (control: ControlClient) => Promise<Result>,
): Promise<Result> {
  const control = await createControlClient(await requireRunningState(context), context.signal);
  try {
    return await act(control);
  } finally {
    await control.close();
  }
}

export function callControl<Id extends JsonControlId>(
  context: Context,
  id: Id,
  ...input: ControlArguments<Id>
): Promise<ControlBody<Id>> {
  const call = () => withControl(context, (control) => control.call(id, ...input));
  return context.output.wait('Waiting for the emulator …', call);
}
