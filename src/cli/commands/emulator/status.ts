import type { Context } from '../../command.js';
import { readRunningState, resolveDataDir } from '../../config/state-file.js';
import type { View } from '../../output/view.js';
import { withControl } from '../shared/running-emulator.js';

const REPORT_VERSION = 1;

const VIEW: View = {
  redaction: 'plain',
  // Only a running emulator has them.
  optional: ['base_url', 'dashboard_url', 'tenant_id', 'pid', 'clock'],
};

/** Prints whether an emulator is running; exits 1 if not, for use in scripts. */
export async function run(_options: object, context: Context): Promise<number | undefined> {
  const { output, settings } = context;
  const version = output.settings.mode !== 'table' && { version: REPORT_VERSION };
  const state = await readRunningState(settings);
  if (!state) {
    await output.result({ ...version, running: false, data_dir: resolveDataDir(settings) }, VIEW);
    return 1;
  }
  const { base_url, dashboard_url, tenant_id, pid, data_dir } = state;
  const clock = await withControl(context, (control) => control.call('clock.get'));
  // The fragment of the dashboard URL contains the control token.
  const dashboard = dashboard_url?.replace(/#.*/, '');
  await output.result(
    { ...version, running: true, base_url, dashboard_url: dashboard, tenant_id, pid, data_dir, clock },
    VIEW,
  );
  return undefined;
}
