import type { Context } from '../../command.js';
import { type ApplyFileFlags, runApplyFile } from '../shared/tenant-config/apply.js';

export async function run(flags: ApplyFileFlags, context: Context): Promise<void> {
  await runApplyFile(flags, context);
}
